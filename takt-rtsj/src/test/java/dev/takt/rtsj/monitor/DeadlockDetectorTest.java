package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlockDetectorTest {
  /** On the kernel's futex where there is one, and on the queue. */
  private static IntFunction<Monitor> kind(boolean best) {
    return i ->
        best
            ? Monitor.inheritance("monitor " + i)
            : Monitor.inheritance(
                MonitorSettings.named("monitor " + i).withClock(new OtherClock()));
  }

  private static List<Monitor> monitors(IntFunction<Monitor> kind, int count) {
    List<Monitor> monitors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      monitors.add(kind.apply(i));
    }
    return monitors;
  }

  /** Philosophers that take the left one and then, all at once, the right one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBreakEachRing(boolean best) {
    for (int size : new int[] {2, 3, 5}) {
      for (int round = 0; round < 20; round++) {
        breakRing(monitors(kind(best), size));
      }
    }
  }

  private static void breakRing(List<Monitor> monitors) {
    int size = monitors.size();
    CyclicBarrier allHaveOne = new CyclicBarrier(size);
    AtomicInteger refused = new AtomicInteger();
    List<Actor> actors = new ArrayList<>();
    List<Future<?>> works = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Monitor left = monitors.get(i);
      Monitor right = monitors.get((i + 1) % size);
      actors.add(new Actor("philosopher " + i));
      works.add(
          actors
              .get(i)
              .begins(
                  () -> {
                    try (var _ = left.hold()) {
                      allHaveOne.await();
                      try (var _ = right.hold()) {
                        assertThat(right.isHeld()).isTrue();
                      } catch (DeadlockException e) {
                        assertThat(e).hasMessageContaining(Thread.currentThread().getName());
                        refused.incrementAndGet();
                      }
                    }
                  }));
    }
    works.forEach(Actor::get);
    actors.forEach(Actor::close);
    assertThat(refused.get()).isBetween(1, size);
  }

  /** Threads that keep to an order never close a circle, so none may be seen. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotSeeCircleWhereThereIsNone(boolean best) {
    long seed = Seeds.seed();
    List<Monitor> monitors = monitors(kind(best), 4);
    List<Actor> actors = new ArrayList<>();
    List<Future<?>> works = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(seed + i);
      actors.add(new Actor("orderly " + i));
      works.add(
          actors
              .get(i)
              .begins(
                  () -> {
                    for (int round = 0; round < 3_000; round++) {
                      int chosen = 1 + random.nextInt(15);
                      for (int m = 0; m < 4; m++) {
                        if ((chosen & 1 << m) != 0) {
                          monitors.get(m).enter();
                        }
                      }
                      // in any order
                      for (int m :
                          random.nextBoolean() ? new int[] {0, 1, 2, 3} : new int[] {3, 1, 2, 0}) {
                        if ((chosen & 1 << m) != 0) {
                          monitors.get(m).exit();
                        }
                      }
                    }
                  }));
    }
    works.forEach(Actor::get);
    actors.forEach(Actor::close);
    assertThat(monitors).as("seed %d", seed).allMatch(each -> each.owner() == null);
  }

  // ---- circles that are there, without any thread that waits

  /**
   * Of a thread that has entered a monitor and waits for the next one; the last is the caller's.
   */
  private static InheritanceMonitor[] chain(int length) {
    FakePriorities priorities = new FakePriorities();
    InheritanceMonitor[] monitors = new InheritanceMonitor[length];
    for (int i = 0; i < length; i++) {
      monitors[i] = MonitorFixture.queued("monitor " + i, new OtherClock(), priorities);
    }
    for (int i = 0; i < length - 1; i++) {
      enterElsewhere("holder " + i, monitors[i]);
      monitors[i].holder().waitsFor = monitors[i + 1];
    }
    monitors[length - 1].enter();
    return monitors;
  }

  private static void enterElsewhere(String name, InheritanceMonitor monitor) {
    try {
      Thread.ofVirtual().name(name).start(monitor::enter).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static MonitorThread[] holders(InheritanceMonitor[] monitors) {
    return Arrays.stream(monitors).map(InheritanceMonitor::holder).toArray(MonitorThread[]::new);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 1_023, 1_024})
  void shouldRefuseToCloseACircle(int length) {
    InheritanceMonitor[] monitors = chain(length);
    MonitorThread self = MonitorThread.current();
    assertThatThrownBy(() -> DeadlockDetector.refuse(self, monitors[0]))
        .isInstanceOf(DeadlockException.class)
        .hasMessageStartingWith("deadlock: " + self + " waits for ")
        .hasMessageContaining(monitors[length - 1] + ", held by " + self + "; let all threads");
  }

  @Test
  void shouldSayWhoWaitsForWhom() {
    InheritanceMonitor[] monitors = chain(3);
    MonitorThread self = MonitorThread.current();
    assertThatThrownBy(() -> DeadlockDetector.refuse(self, monitors[0]))
        .hasMessage(
            "deadlock: %s waits for %s, held by thread \"holder 0\", which waits for %s, held by"
                    .formatted(self, monitors[0], monitors[1])
                + " thread \"holder 1\", which waits for %s, held by %s"
                    .formatted(monitors[2], self)
                + "; let all threads enter these monitors in the same order");
  }

  /** So that a look ends, however long the chain is. */
  @Test
  void shouldFollowNoMoreThanTheKernelDoes() {
    InheritanceMonitor[] monitors = chain(1_025);
    MonitorThread self = MonitorThread.current();
    DeadlockDetector.refuse(self, monitors[0]);
    assertThat(DeadlockDetector.describe(self, monitors[0])).isNull();
    assertThat(DeadlockDetector.describe(self, monitors[1])).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void shouldNotRefuseWhatClosesNoCircle(int length) {
    MonitorThread self = MonitorThread.current();
    InheritanceMonitor[] monitors = chain(length);
    for (MonitorThread holder : holders(monitors)) {
      InheritanceMonitor waitsFor = holder.waitsFor;
      if (waitsFor != null) {
        holder.waitsFor = null;
        DeadlockDetector.refuse(self, monitors[0]);
        assertThat(DeadlockDetector.describe(self, monitors[0])).isNull();
        holder.waitsFor = monitors[0]; // a circle, but of others
        DeadlockDetector.refuse(self, monitors[0]);
        assertThat(DeadlockDetector.describe(self, monitors[0])).isNull();
        holder.waitsFor = waitsFor;
      }
    }
    monitors[length - 1].exit();
    DeadlockDetector.refuse(self, monitors[0]);
    assertThat(DeadlockDetector.describe(self, monitors[0])).as("the last is nobody's").isNull();
  }

  /** As when a wait with a time-out has ended since the circle was seen. */
  @Test
  void shouldNotBelieveInACircleOfWhichAnythingHasChanged() {
    InheritanceMonitor[] monitors = chain(4);
    MonitorThread[] holders = holders(monitors);
    assertThat(DeadlockDetector.isStillThere(monitors, holders, 4)).isTrue();
    for (int i = 0; i < 3; i++) {
      InheritanceMonitor other = monitors[i == 0 ? 3 : i - 1];
      holders[i].waitsFor = other;
      assertThat(DeadlockDetector.isStillThere(monitors, holders, 4)).as("%d waits", i).isFalse();
      holders[i].waitsFor = monitors[i + 1];

      MonitorThread holder = holders[i];
      holders[i] = MonitorThread.current();
      holders[i].waitsFor = monitors[i + 1];
      assertThat(DeadlockDetector.isStillThere(monitors, holders, 4)).as("%d holds", i).isFalse();
      holders[i].waitsFor = null;
      holders[i] = holder;
    }
    assertThat(DeadlockDetector.isStillThere(monitors, holders, 4)).isTrue();
  }
}
