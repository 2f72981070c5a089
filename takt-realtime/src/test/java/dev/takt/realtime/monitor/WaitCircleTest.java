package dev.takt.realtime.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.monitor.MonitorFixture.Actor;
import dev.takt.realtime.monitor.MonitorFixture.OtherClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitCircleTest {
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
    long seed = System.nanoTime();
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
}
