package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.EventSpace;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way out, with a write that ends just when somebody looks whether it takes too long. */
@Timeout(15)
class FixLinkTest {
  private static final FixSettings SETTINGS = FixSettings.DEFAULTS;

  private final FixStore store = new FixStore(EventSpace.create(), SETTINGS, () -> true);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  /** A wire whose write goes on until the thread of the test has asked for the time. */
  private class Wire implements FixWire {
    private final Thread looking = Thread.currentThread();
    private Thread writing;
    private boolean closed;

    @Override
    public int read(byte[] into, int from, int length, long timeoutNs) {
      return END;
    }

    @Override
    public void write(byte[] bytes) {
      begun.countDown();
      await(mayEnd);
    }

    @Override
    public long nanoTime() {
      if (Thread.currentThread() == looking && writing != null) {
        mayEnd.countDown();
        join(writing);
      }
      return -1_000; // the time of a machine may be negative
    }

    @Override
    public void endOutput() {}

    @Override
    public String address() {
      return "test";
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldLeaveAConnectionWhoseWriteEndsWhileSomebodyLooksHowLongItTakes() throws IOException {
    store.open("FIX.4.4:PEER");
    Wire wire = new Wire();
    FixLink link = new FixLink(wire, store, SETTINGS, "FIX.4.4", "PEER");
    Thread writing = Thread.ofPlatform().start(() -> beat(link));
    await(begun);
    wire.writing = writing;

    link.requireMoving();

    assertThat(wire.closed).isFalse();
    assertThat(writing.isAlive()).isFalse();
  }

  @Test
  void shouldEndAStuckWriteWhenItsTimeIsOverAlsoWhileAnotherSessionWaits() throws Exception {
    FixSettings quick = SETTINGS.withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(20));
    store.open("FIX.4.4:PEER");
    AtomicLong nowNs = new AtomicLong();
    CountDownLatch closed = new CountDownLatch(1);
    FixWire stuck =
        new Wire() {
          @Override
          public void write(byte[] bytes) {
            nowNs.set(Duration.ofSeconds(21).toNanos());
            begun.countDown();
            FixLinkTest.await(mayEnd);
          }

          @Override
          public long nanoTime() {
            return nowNs.get();
          }

          @Override
          public void close() {
            closed.countDown();
            mayEnd.countDown();
          }
        };
    FixLink link = new FixLink(stuck, store, quick, "FIX.4.4", "PEER");
    Thread writing = Thread.ofPlatform().start(() -> beat(link));
    await(begun);

    assertThatThrownBy(() -> link.step(step -> step.send("0", "")))
        .hasMessageContaining("no room for a message within 20000 ms");

    assertThat(closed.getCount()).isZero();
    writing.join();
  }

  private static void beat(FixLink link) {
    try {
      link.step(step -> step.send("0", ""));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
