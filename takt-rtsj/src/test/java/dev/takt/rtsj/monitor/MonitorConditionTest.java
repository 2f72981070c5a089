package dev.takt.rtsj.monitor;

import static dev.takt.rtsj.monitor.MonitorFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.os.Policy;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import dev.takt.rtsj.monitor.MonitorFixture.ManualClock;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
import dev.takt.testkit.Seeds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MonitorConditionTest {
  static Stream<Monitor> monitors() {
    return MonitorTest.monitors();
  }

  /** Lets an actor wait, and returns when it is among those that wait. */
  private static Future<?> waits(Actor actor, Monitor monitor, MonitorFixture.Work work) {
    boolean[] isInside = new boolean[1];
    Future<?> done =
        actor.begins(
            () -> {
              try (var _ = monitor.hold()) {
                isInside[0] = true;
                work.run();
              }
            });
    until(
        () -> {
          // Whoever sees it while inside itself sees it outside: it waits for the condition.
          try (var _ = monitor.hold()) {
            return isInside[0];
          }
        });
    return done;
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldLetGoWhoeverWaitsWhenSignalled(Monitor monitor) {
    MonitorCondition condition = monitor.newCondition("ready");
    try (Actor waiter = new Actor("waiter")) {
      Future<?> done =
          waits(
              waiter,
              monitor,
              () -> {
                condition.await();
                assertThat(monitor.isHeld()).isTrue();
              });
      assertThat(done.isDone()).isFalse();
      try (var _ = monitor.hold()) {
        condition.signal();
        assertThat(monitor.isHeld()).isTrue();
      }
      Actor.get(done);
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldEnterAgainAsOftenAsItWasInside(Monitor monitor) {
    MonitorCondition condition = monitor.newCondition("ready");
    try (Actor waiter = new Actor("waiter")) {
      Future<?> done =
          waits(
              waiter,
              monitor,
              () -> {
                monitor.enter();
                monitor.enter();
                assertThat(condition.await(Long.MAX_VALUE)).isTrue();
                assertThat(monitor.owner().holds()).isEqualTo(3);
                monitor.exit();
                monitor.exit();
              });
      try (var _ = monitor.hold()) {
        condition.signal();
      }
      Actor.get(done);
      assertThat(monitor.owner()).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldRefuseThreadsThatAreOutside(Monitor monitor) {
    MonitorCondition condition = monitor.newCondition("ready");
    for (MonitorFixture.Work each :
        List.<MonitorFixture.Work>of(
            condition::await, () -> condition.await(1), condition::signal, condition::signalAll)) {
      assertThatThrownBy(each::run)
          .isInstanceOf(IllegalMonitorStateException.class)
          .hasMessageContaining("condition ready of " + monitor);
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldForgetSignalThatNobodyWaitsFor(Monitor monitor) {
    MonitorCondition condition = monitor.newCondition("ready");
    try (var _ = monitor.hold()) {
      condition.signal();
      condition.signalAll();
      assertThat(condition.await(1_000)).isFalse();
      assertThat(condition.await(0)).isFalse();
      assertThat(condition.await(-1)).isFalse();
      assertThat(condition.await(Long.MIN_VALUE)).isFalse();
      assertThat(monitor.isHeld()).isTrue();
    }
  }

  @Test
  void shouldGiveUpWhenTimeHasComeAndNotBefore() {
    ManualClock clock = new ManualClock();
    Monitor monitor = MonitorFixture.queued("timed", clock, new FakePriorities());
    MonitorCondition condition = monitor.newCondition("ready");
    try (var _ = monitor.hold()) {
      for (long timeoutNs : new long[] {1, 5_000, 7_000_000_000L, 0, -1, Long.MAX_VALUE}) {
        long startNs = clock.nanoTime();
        assertThat(condition.await(timeoutNs)).isFalse();
        assertThat(clock.nanoTime() - startNs)
            .isEqualTo(Math.clamp(timeoutNs, 0, Long.MAX_VALUE / 2));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
      }
    }
  }

  @Test
  void shouldKeepTheInterruptOfAWaitWhoseTimeIsOver() {
    Monitor monitor = MonitorFixture.queued("timed", new ManualClock(), new FakePriorities());
    MonitorCondition condition = monitor.newCondition("ready");
    try (var _ = monitor.hold()) {
      Thread.currentThread().interrupt();
      assertThat(condition.await(5)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void shouldWaitUntilWhoSignalledItHasLeft() {
    InheritanceMonitor monitor =
        MonitorFixture.queued("guarded", new OtherClock(), new FakePriorities());
    MonitorCondition condition = monitor.newCondition("ready");
    try (Actor waiter = new Actor("waiter")) {
      Future<?> done =
          waits(
              waiter,
              monitor,
              () -> {
                condition.await();
                assertThat(monitor.isHeld()).isTrue();
              });
      monitor.enter();
      condition.signal();
      until(() -> (monitor.word.get() & LockWord.WAITERS) != 0);
      monitor.exit();
      Actor.get(done);
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldKeepInterruptForLater(Monitor monitor) {
    MonitorCondition condition = monitor.newCondition("ready");
    try (Actor waiter = new Actor("waiter")) {
      Future<?> done =
          waits(
              waiter,
              monitor,
              () -> {
                Thread.currentThread().interrupt();
                assertThat(condition.await(Long.MAX_VALUE)).isTrue();
                assertThat(Thread.interrupted()).isTrue();
              });
      waiter.self.thread.interrupt();
      try (var _ = monitor.hold()) {
        condition.signal();
      }
      Actor.get(done);
    }
  }

  @Test
  void shouldSignalHighestPriorityFirst() {
    FakePriorities priorities = new FakePriorities();
    Monitor monitor = MonitorFixture.queued("ranked", new OtherClock(), priorities);
    MonitorCondition condition = monitor.newCondition("ready");
    List<String> order = new ArrayList<>();
    List<Actor> actors = new ArrayList<>();
    List<Future<?>> works = new ArrayList<>();
    for (int priority : new int[] {10, 30, 20, 30}) {
      Actor actor = new Actor(priority + " came as " + actors.size());
      actors.add(actor);
      priorities.put(actor.self.thread, Policy.FIFO, priority);
      works.add(
          waits(
              actor,
              monitor,
              () -> {
                condition.await();
                order.add(Thread.currentThread().getName());
              }));
    }
    for (int signalled = 1; signalled <= 3; signalled++) {
      try (var _ = monitor.hold()) {
        condition.signal();
      }
      int expected = signalled;
      until(
          () -> {
            try (var _ = monitor.hold()) {
              return order.size() == expected;
            }
          });
    }
    try (var _ = monitor.hold()) {
      condition.signalAll();
    }
    works.forEach(Actor::get);
    actors.forEach(Actor::close);
    assertThat(order)
        .containsExactly("30 came as 1", "30 came as 3", "20 came as 2", "10 came as 0");
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldAllocateNothing(Monitor monitor) {
    MonitorCondition condition = monitor.newCondition("ready");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    monitor.enter();
    long allocated = Long.MAX_VALUE;
    for (int round = 0; round < 1_000 && allocated != 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 100; i++) {
        condition.await(1);
        condition.signal();
        condition.signalAll();
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    monitor.exit();
    assertThat(allocated).isZero();
  }

  /** A thread whose wait ended badly leaves the queue to the others, and takes no signal. */
  @Test
  void shouldPassOverWaiterThatCouldNotEnterAgain() {
    AtomicLong nowNs = new AtomicLong(); // whoever waits looks at it now and then
    Monitor monitor = MonitorFixture.queued("guarded", nowNs::get, new FakePriorities());
    Monitor other = MonitorFixture.queued("other", new OtherClock(), new FakePriorities());
    MonitorCondition condition = monitor.newCondition("ready");
    try (Actor unlucky = new Actor("unlucky");
        Actor owner = new Actor("owner");
        Actor patient = new Actor("patient")) {
      unlucky.does(other::enter);
      AtomicBoolean isInside = new AtomicBoolean();
      Future<?> failed =
          unlucky.begins(
              () -> {
                monitor.enter();
                isInside.set(true);
                assertThatThrownBy(() -> condition.await(1_000_000))
                    .isInstanceOf(DeadlockException.class);
                assertThat(monitor.isHeld()).isFalse();
              });
      until(isInside::get);
      owner.does(monitor::enter);
      Future<?> closing = owner.blocksIn(other::enter);
      nowNs.set(1_000_000);
      Actor.get(failed);
      unlucky.does(other::exit);
      Actor.get(closing);
      owner.does(monitor::exit);
      owner.does(other::exit);
      boolean[] served = new boolean[1];
      Future<?> waiting =
          waits(patient, monitor, () -> served[0] = condition.await(Long.MAX_VALUE));
      try (var _ = monitor.hold()) {
        condition.signal();
      }
      Actor.get(waiting);
      assertThat(served[0]).isTrue();
      unlucky.does(
          () -> {
            try (var _ = monitor.hold()) {
              assertThat(condition.await(0)).isFalse();
            }
          });
    }
  }

  /** Producers and consumers with a buffer of two places; all that was put in comes out once. */
  @ParameterizedTest
  @MethodSource("monitors")
  void shouldHandOverThroughBoundedBuffer(Monitor monitor) {
    long seed = Seeds.seed();
    MonitorCondition notFull = monitor.newCondition("not full");
    MonitorCondition notEmpty = monitor.newCondition("not empty");
    int items = 2_000;
    int[] buffer = new int[1]; // how many are in
    long[] sums = new long[4];
    List<Actor> actors = new ArrayList<>();
    List<Future<?>> works = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int me = i;
      Random random = new Random(seed + i);
      boolean puts = i % 2 == 0;
      actors.add(new Actor((puts ? "producer " : "consumer ") + i));
      works.add(
          actors
              .get(i)
              .begins(
                  () -> {
                    for (int n = 0; n < items; n++) {
                      try (var _ = monitor.hold()) {
                        while (puts ? buffer[0] == 2 : buffer[0] == 0) {
                          (puts ? notFull : notEmpty)
                              .await(random.nextBoolean() ? Long.MAX_VALUE : 20_000);
                        }
                        buffer[0] += puts ? 1 : -1;
                        sums[me]++;
                        MonitorCondition told = puts ? notEmpty : notFull;
                        if (random.nextInt(4) == 0) {
                          told.signalAll();
                        } else {
                          told.signal();
                        }
                      }
                    }
                  }));
    }
    works.forEach(Actor::get);
    actors.forEach(Actor::close);
    assertThat(buffer[0]).as("seed %d", seed).isZero();
    assertThat(sums).as("seed %d", seed).containsOnly(items);
  }
}
