package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way out, with a write that ends just when somebody looks whether it takes too long. */
@Timeout(60)
class FixLinkTest {
  private static final FixSettings SETTINGS = FixSettings.DEFAULTS;

  private final FixStore store = new FixStore(EventSpace.create(), SETTINGS, () -> true);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  /** A wire whose write goes on until the thread of the test has asked for the time. */
  private final class Wire implements FixWire {
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
    Thread writing =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    link.step(step -> step.send("0", ""));
                  } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    await(begun);
    wire.writing = writing;

    link.requireMoving();

    assertThat(wire.closed).isFalse();
    assertThat(writing.isAlive()).isFalse();
  }
}
