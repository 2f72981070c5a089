package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.PassiveServer;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In steady state a release allocates nothing, whatever becomes of it. */
class AllocationTest {
  private static final int ROUND = 2_000;
  private static final int ROUNDS = 40;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final EventSpace space = EventSpace.create();
  private final ReflexRuntime runtime =
      ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(1));

  @AfterEach
  void stop() {
    runtime.close();
  }

  /**
   * What a thread allocates in a round of ticks, in steady state: the least of the later rounds,
   * since linking and compiling allocate now and then. A release that allocates cannot get below 16
   * bytes a tick.
   */
  private static final class Meter {
    private long ticks;
    private long fromBytes;
    private volatile long leastBytes = Long.MAX_VALUE;
    private volatile int rounds;

    void tick() {
      if (++ticks % ROUND == 0) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        if (rounds >= ROUNDS / 2) {
          leastBytes = Math.min(leastBytes, bytes - fromBytes);
        }
        fromBytes = bytes;
        rounds = rounds + 1;
      }
    }

    boolean isDone() {
      return rounds >= ROUNDS;
    }
  }

  private static final class Busy extends ReflexTask {
    private final int mode;
    private final AtomicReference<Meter> meter;
    private final int[] counts = new int[8];
    private final String name = "busy";
    private double last;

    Busy(int mode, Meter meter) {
      this.mode = mode;
      this.meter = new AtomicReference<>(meter);
    }

    @Override
    public void execute() {
      meter.get().tick();
      write(event().add("a", 1).add("name", name));
      Event template = new Event("a", null);
      Event taken = take(template);
      last = taken.getLong("a");
      counts[3]++;
      test(template);
      if (mode == 1) {
        abort();
      }
    }
  }

  private long measureActive(int mode) {
    Meter meter = new Meter();
    runtime.active("busy", new Busy(mode, meter), Schedule.continuous());
    runtime.start();
    Await.until("the measurement", meter::isDone);
    return meter.leastBytes;
  }

  @Test
  void shouldNotAllocateWhenReleaseCommits() {
    assertThat(measureActive(0)).isZero();
  }

  @Test
  void shouldNotAllocateWhenReleaseAborts() {
    assertThat(measureActive(1)).isZero();
  }

  private static final class Hop extends ReflexTask {
    private final int from;
    private final int to;
    private final AtomicReference<Meter> meter;
    private Handle handle;
    private long hops;

    Hop(int from, int to, Meter meter) {
      this.from = from;
      this.to = to;
      this.meter = new AtomicReference<>(meter);
    }

    @Override
    public void initialize() {
      handle = subscribe(new Event().add("hop", from));
    }

    @Override
    public void execute() {
      meter.get().tick();
      for (Event event : handle) {
        hops++;
        write(event().add("hop", to).add("n", event.getLong("n") + 1));
      }
    }
  }

  @Test
  void shouldNotAllocateWhenPassiveTasksHandEventsOn() {
    shouldNotAllocateWhenEventsAreHandedOn(runtime);
  }

  @Test
  void shouldNotAllocateWhenPassiveTasksHaveABudgetThatIsUsedUpAgainAndAgain() {
    RuntimeSettings served =
        Settings.FOR_TESTS.withPassiveServer(new PassiveServer(50_000, 100_000));
    try (ReflexRuntime bounded = ReflexRuntime.create(space, served)) {
      shouldNotAllocateWhenEventsAreHandedOn(bounded);
    }
  }

  private void shouldNotAllocateWhenEventsAreHandedOn(ReflexRuntime runtime) {
    Meter meter = new Meter();
    for (int i = 0; i < 3; i++) {
      runtime.passive("hop" + i, new Hop(i, (i + 1) % 3, meter), 10);
    }
    runtime.start();
    space.write(new Event().add("hop", 0).add("n", 0));
    Await.until("the measurement", meter::isDone);
    assertThat(meter.leastBytes).isZero();
  }

  @Test
  void shouldNotAllocateWhenWorkerIsWokenForEachEvent() {
    Meter meter = new Meter();
    AtomicLong taken = new AtomicLong();
    runtime.passive(
        "sink",
        new Scripted(
            new Event("a", null),
            task -> {
              meter.tick();
              while (task.handle.next(task.into())) {
                taken.addAndGet(1);
              }
            }),
        10);
    Event event = new Event("a", 1);
    Meter writer = new Meter();
    runtime.start();
    long written = 0;
    while (!meter.isDone() || !writer.isDone()) {
      writer.tick();
      space.write(event);
      long goal = ++written;
      while (taken.get() < goal) {
        Thread.onSpinWait();
      }
    }
    assertThat(meter.leastBytes).isZero();
    assertThat(writer.leastBytes).isZero();
  }

  /** The JVM would make a message for each, on the thread whose call has the class compiled. */
  @Test
  void shouldDeclareAllThatItsInterfacesWantWhereAClassIsAbstract() {
    assertThat(TaskRunner.class.getMethods())
        .filteredOn(each -> Modifier.isAbstract(each.getModifiers()))
        .extracting(Method::getDeclaringClass)
        .containsOnly(TaskRunner.class);
  }
}
