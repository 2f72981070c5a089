package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.limit.AtomicCallRejected;
import dev.takt.reflex.limit.AtomicStats;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Atomic calls of tasks in a runtime. */
class AtomicTaskTest {
  private final EventSpace space = EventSpace.create();
  private final ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS);

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  /** What happens in a release. */
  private interface Script {
    void run(Counter counter);
  }

  private static class Counter extends ReflexTask {
    private long count;
    private final AtomicReference<Script> initialize;
    private final AtomicReference<Script> execute;

    Counter(Script initialize, Script execute) {
      this.initialize = new AtomicReference<>(initialize);
      this.execute = new AtomicReference<>(execute);
    }

    Counter(Script execute) {
      this(counter -> {}, execute);
    }

    @Override
    public void initialize() {
      initialize.get().run(this);
    }

    @Override
    public void execute() {
      execute.get().run(this);
    }

    void listen() {
      subscribe(new Event("go", null));
    }

    void listened() {
      take(new Event("go", null));
    }

    void giveUp() {
      abort();
    }

    void tell() {
      write(new Event("told", 1));
    }

    void count(long count) {
      this.count = count;
    }

    @Atomic
    public long add(long value) {
      count += value;
      return count;
    }
  }

  @Test
  void shouldRunAtOnceBeforeRegistration() {
    Counter counter = new Counter(c -> {});
    assertThat(counter.add(3)).isEqualTo(3);
    assertThat(counter.count).isEqualTo(3);
  }

  @Test
  void shouldWaitForInitializeBetweenRegistrationAndStart() {
    AtomicInteger seen = new AtomicInteger();
    Counter counter = new Counter(c -> seen.set((int) c.count), c -> {});
    TaskControl control = runtime.active("counter", counter, Schedule.periodic(1_000_000));
    assertThat(counter.add(3)).isEqualTo(3);
    assertThat(counter.count).isZero();
    assertThat(counter.add(1)).isEqualTo(4);
    runtime.start();
    assertThat(seen).hasValue(4);
    assertThat(control.atomicStats()).isEqualTo(new AtomicStats(2, 2, 0, 0, 0));
  }

  @Test
  void shouldRunAtOnceInReleaseOfSameTask() {
    AtomicInteger seen = new AtomicInteger();
    Counter counter = new Counter(c -> seen.set((int) c.add(1)));
    runtime.active("counter", counter, Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("third release", () -> seen.get() >= 3);
  }

  @Test
  void shouldKeepCommittedCallsWhenReleaseAborts() {
    CountDownLatch sawIt = new CountDownLatch(3);
    Counter counter =
        new Counter(
            c -> {
              if (c.count == 5) {
                sawIt.countDown();
              }
              c.count(1_000);
              c.giveUp();
            });
    runtime.active("counter", counter, Schedule.periodic(1_000_000));
    runtime.start();
    assertThat(counter.add(5)).isEqualTo(5);
    Await.until("the call in three releases", () -> sawIt.getCount() == 0);
    assertThat(counter.add(0)).isEqualTo(5);
  }

  @Test
  void shouldRefuseCallOfAnotherTaskInRelease() {
    Counter other = new Counter(c -> {});
    runtime.active("other", other, Schedule.periodic(1_000_000_000));
    TaskControl control =
        runtime.active("counter", new Counter(c -> other.add(1)), Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("a failure", () -> control.failure() != null);
    assertThat(control.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("atomic method of task other called inside a release of counter")
        .hasMessageContaining("R30");
  }

  @Test
  void shouldGoOnAfterRuntimeHasStopped() {
    Counter counter = new Counter(c -> {});
    runtime.active("counter", counter, Schedule.periodic(1_000_000));
    runtime.start();
    assertThat(runtime.stop(Duration.ofSeconds(10))).isTrue();
    assertThat(counter.add(2)).isEqualTo(2);
    assertThat(counter.add(2)).isEqualTo(4);
  }

  @Test
  void shouldNotReleasePassiveTaskButShowItTheCallLater() {
    AtomicInteger seen = new AtomicInteger(-1);
    Counter counter =
        new Counter(
            Counter::listen,
            c -> {
              c.listened();
              seen.set((int) c.count);
            });
    TaskControl control = runtime.passive("counter", counter, 1);
    runtime.start();
    assertThat(counter.add(7)).isEqualTo(7);
    assertThat(control.stats().releases()).isZero();
    space.write(new Event("go", 1));
    Await.until("the release", () -> seen.get() == 7);
  }

  @Test
  void shouldLetCallsGoOnWhenReleasesFail() {
    Counter counter =
        new Counter(
            c -> {
              throw new ArithmeticException("release");
            });
    TaskControl control = runtime.active("counter", counter, Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("a failure", () -> control.failure() != null);
    assertThat(counter.add(1)).as("the gate is open again").isEqualTo(1);
  }

  @Test
  void shouldCountRejectedCalls() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Counter counter =
        new Counter(
            c -> {
              entered.countDown();
              Await.until("the end of the test", () -> leave.getCount() == 0);
            });
    ReflexRuntime impatient =
        ReflexRuntime.create(space, Settings.FOR_TESTS.withAtomicTimeoutNs(1_000_000));
    try {
      TaskControl control = impatient.active("counter", counter, Schedule.periodic(1_000_000));
      impatient.start();
      entered.await();
      assertThatThrownBy(() -> counter.add(1))
          .isInstanceOf(AtomicCallRejected.class)
          .hasMessageContaining("atomicTimeoutNs=1000000,");
      assertThat(control.atomicStats().rejected()).isEqualTo(1);
    } finally {
      leave.countDown();
      impatient.close();
    }
  }

  /** An atomic method that uses the space runs on the thread of its caller. */
  @Test
  void shouldRefuseSpaceOnOtherThreadsWhileReleaseRuns() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Counter counter =
        new Counter(
            c -> {
              entered.countDown();
              Await.until("the end of the test", () -> leave.getCount() == 0);
            });
    TaskControl control = runtime.active("counter", counter, Schedule.periodic(1_000_000));
    runtime.start();
    entered.await();
    try {
      assertThatThrownBy(counter::tell)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("counter is not in a release");
      assertThatThrownBy(counter::giveUp).isInstanceOf(IllegalStateException.class);
    } finally {
      leave.countDown();
    }
    Await.until("a release", () -> control.stats().commits() > 0);
    assertThat(control.stats().aborts()).isZero();
    assertThat(space.count(new Event("told", null))).isZero();
  }
}
