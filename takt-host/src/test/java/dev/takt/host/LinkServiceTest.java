package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.LinkEndedException;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.LinkListener;
import dev.takt.client.link.LinkSettings;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.PlainBudget;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ThreadMeter;
import dev.takt.space.Commit;
import dev.takt.space.CommitJournal;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LinkServiceTest {
  private static final LinkSettings LINKS = LinkSettings.DEFAULTS.withSizes(1 << 14, 1 << 10);
  private static final long PERIOD_NS = 10_000_000;
  private static final NanoClock CLOCK = NanoClock.system();
  private static final ThreadFactory THREADS = Thread.ofPlatform().name("links").factory();

  private final EventSpace space = EventSpace.create();
  private final CpuManager manager = CpuManager.start(ManagerSettings.defaults());
  @TempDir private Path temporary;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private Path folder() {
    return temporary.resolve("host");
  }

  private LinkServer server() throws Exception {
    return LinkServer.open(space, folder(), LINKS, ClientLimits.DEFAULTS, 0);
  }

  private RemoteSpace connect() throws Exception {
    return Takt.connect(folder(), ClientSettings.DEFAULTS);
  }

  @Test
  void shouldServeClientsUntilItIsClosed() throws Exception {
    try (PlainBudget budget = manager.admitPlain("links", 1_000_000, PERIOD_NS);
        LinkService service = LinkService.start(server(), budget, THREADS);
        RemoteSpace client = connect()) {
      client.write(new Event("n", 1));
      assertThat(space.take(new Event("n", null), new Event())).isTrue();
      while (service.clients() != 1) {
        client.test(new Event("n", null)); // a look comes soon
      }

      end(service);

      assertThat(service.clients()).isZero();
      assertThat(service.failure()).isNull();
      assertThatThrownBy(() -> client.write(new Event("n", 2)))
          .isInstanceOf(RuntimeException.class);
      assertThat(Files.exists(folder().resolve("host"))).as("its socket").isFalse();
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldEndAndSayWhyWhenNobodyCanBeLetInAnyMore() throws Exception {
    CountDownLatch breaks = new CountDownLatch(1);
    LinkListener listener = LinkListener.open(folder(), LINKS);
    LinkServer server =
        LinkServer.start(
            space,
            ClientLimits.DEFAULTS.withWire(WireLimits.DEFAULTS.withMaxMessageBytes(1 << 10)),
            listener,
            timeoutNs -> {
              if (breaks.getCount() == 0) {
                throw new OutOfMemoryError("of the test");
              }
              return listener.accept(timeoutNs);
            },
            0);
    try (PlainBudget budget = manager.admitPlain("links", 1_000_000, PERIOD_NS);
        LinkService service = LinkService.start(server, budget, THREADS);
        RemoteSpace client = Takt.connect(folder(), ClientSettings.DEFAULTS.withReconnectNs(0))) {
      client.write(new Event("n", 1));
      assertThat(service.failure()).isNull();

      breaks.countDown();

      while (service.failure() == null) {
        Thread.onSpinWait();
      }
      assertThat(service.failure())
          .hasMessageContainingAll("no client is let in any more", "of the test")
          .hasCauseInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> client.write(new Event("n", 2)))
          .isInstanceOf(LinkEndedException.class);
    }
    requireClosed();
  }

  /** As the JVM has it when the heap is full: it throws one and the same error again and again. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @SuppressWarnings("try") // it is looked at between both
  void shouldLeaveNothingAndTellTheErrorWhenItsEndMeetsTheSameOne() throws Exception {
    UsedUp full = new UsedUp();
    try (PlainBudget budget = manager.admitPlain("links", 1_000_000, PERIOD_NS);
        LinkService service = LinkService.start(server(), budget, THREADS);
        RawClient client = new RawClient(folder())) {
      space.write(new Event("n", 1));
      client.hello();
      client.ask(Operation.TAKE, 1, 0, new Event("n", 1)); // it is to be put back at the end
      while (space.test(new Event("n", 1))) {
        Thread.onSpinWait();
      }

      space.commits().journal(new FullJournal(full));
      client.ask(Operation.WRITE, 2, 0, new Event("n", 2));

      while (service.failure() == null) {
        Thread.onSpinWait();
      }
      service.close();
      assertThat(service.failure()).isSameAs(full);
    }
    space.commits().journal(null);
    requireClosed();
  }

  /** Cannot even be told. */
  private static final class UsedUp extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw this;
    }

    @Override
    public String toString() {
      return "used up";
    }
  }

  private record FullJournal(UsedUp full) implements CommitJournal {
    @Override
    public long prepare(Commit delta) {
      throw full;
    }

    @Override
    public void decided(long ticket, boolean committed) {}

    @Override
    public void await(long ticket) {}
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldCountItsLooksOnlyAsLongAsItsThreadGoesOn() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (PlainBudget budget = manager.admitPlain("links", 1_000_000, PERIOD_NS);
        LinkService service = LinkService.start(server(), budget, THREADS);
        RemoteSpace client = connect()) {
      awaitLook(service);
      space.subscribe(
          new Event("hang", null),
          () -> {
            hangs.countDown();
            await(goesOn);
          });
      Thread writer = Thread.ofPlatform().start(() -> client.write(new Event("hang", 1)));
      hangs.await();
      long looks = service.looks();
      CLOCK.parkNanos(100_000_000); // five times as long as it is silent at most
      assertThat(service.looks()).as("while it hangs").isEqualTo(looks);

      goesOn.countDown();
      awaitLook(service);
      writer.join();
    }
  }

  private static void awaitLook(LinkService service) {
    long before = service.looks();
    while (service.looks() == before) {
      Thread.onSpinWait();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void end(LinkService service) {
    service.close();
  }

  /** By a meter that finds all time used, and a clock that goes on only in a rest. */
  @Test
  void shouldRestUntilTheNextPeriodWhenAClientFloodsIt() throws Exception {
    AtomicLong rested = new AtomicLong();
    NanoClock clock =
        new NanoClock() {
          @Override
          public long nanoTime() {
            return System.nanoTime() + rested.get();
          }

          @Override
          public void parkNanos(long durationNs) {
            rested.addAndGet(durationNs);
          }
        };
    ThreadMeter meter = new BusyMeter();
    long beginNs = clock.nanoTime();
    try (PlainBudget budget = manager.admitPlain("links", 1_000_000, PERIOD_NS);
        LinkService service = LinkService.start(server(), budget, clock, meter, THREADS);
        RemoteSpace client = connect()) {
      while (service.rests() < 5) {
        client.write(new Event("n", 1));
        assertThat(client.take(new Event("n", 1), new Event())).as("served all the same").isTrue();
      }
      // Four rests have ended, for 6 ms of a budget of 1 ms in a period.
      assertThat(clock.nanoTime() - beginNs).isGreaterThan(4 * PERIOD_NS);
    }
  }

  /** Each look finds that the thread has used a budget and a half since the look before. */
  private static final class BusyMeter implements ThreadMeter {
    private long usedNs;

    @Override
    public long usedNs() {
      usedNs += 1_500_000;
      return usedNs;
    }

    @Override
    public long allocatedBytes() {
      return UNKNOWN;
    }
  }

  @Test
  void shouldNotServeWithoutABudget() throws Exception {
    LinkServer server = server();
    try (PlainBudget budget = manager.admitPlain("links", 1_000 * PERIOD_NS, PERIOD_NS)) {
      assertThatThrownBy(() -> LinkService.start(server, budget, THREADS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("it asks for 1000.00 processors");
    }
    requireClosed();
  }

  @Test
  void shouldCloseItsServerWhenThereIsNoThreadForIt() throws Exception {
    LinkServer server = server();
    try (PlainBudget budget = manager.admitPlain("links", 1_000_000, PERIOD_NS)) {
      ThreadFactory none =
          _ -> {
            throw new OutOfMemoryError("no thread");
          };
      assertThatThrownBy(() -> LinkService.start(server, budget, none))
          .isInstanceOf(OutOfMemoryError.class);
    }
    requireClosed();
  }

  private void requireClosed() throws Exception {
    assertThat(Files.exists(folder().resolve("host"))).as("its socket").isFalse();
    server().close(); // the folder is free
  }
}
