package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.RealtimeThread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All small sequences of arrivals and releases, against {@link ArrivalModel}. */
@ExtendWith(LeakCheck.class)
class ArrivalQueueTest {
  /** Locks that are quickly made: there are millions of queues. */
  private static final OperatingSystem SYSTEM = OperatingSystems.portable();

  /** Steps: wait for 0 to 3, then bring an arrival (even) or take one out (odd). */
  private static final long[] STEPS = {0, 1, 2, 3, 4, 5, 6, 7};

  @Test
  void shouldDecideAsTheModelInAllSmallSequences() {
    int length = Boolean.getBoolean("takt.full") ? 6 : 5;
    for (Sporadic parameters : ArrivalModel.smallParameters(3, 2)) {
      Sequences.forEach(STEPS, length, steps -> compare(parameters, steps));
    }
  }

  private static void compare(Sporadic parameters, long[] steps) {
    ArrivalQueue queue = new ArrivalQueue(parameters, SYSTEM);
    ArrivalModel model = new ArrivalModel(parameters);
    long nowNs = 0;
    long lastNs = Long.MIN_VALUE / 2;
    for (long step : steps) {
      nowNs += step / 2;
      Object expected;
      Object actual;
      if (step % 2 == 0) {
        expected = model.arrive(nowNs);
        actual = queue.arrive(nowNs);
      } else {
        long polledNs = queue.poll(nowNs);
        expected = model.poll(nowNs);
        actual = polledNs;
        if (polledNs != ArrivalQueue.NONE) {
          check(polledNs - lastNs >= parameters.minInterarrivalNs(), parameters, steps);
          lastNs = polledNs;
        }
      }
      if (!expected.equals(actual)) {
        assertThat(actual)
            .as("%s, steps %s", parameters, Arrays.toString(steps))
            .isEqualTo(expected);
      }
      check(queue.nextNs() == model.nextNs(), parameters, steps);
      check(queue.size() <= parameters.queueCapacity(), parameters, steps);
    }
    long counted = 0;
    for (Arrival arrival : Arrival.values()) {
      counted += queue.count(arrival);
    }
    check(counted == Arrays.stream(steps).filter(step -> step % 2 == 0).count(), parameters, steps);
  }

  private static void check(boolean holds, Sporadic parameters, long[] steps) {
    if (!holds) {
      throw new AssertionError(parameters + ", steps " + Arrays.toString(steps));
    }
  }

  /**
   * Whole sporadic threads by a virtual clock: arrivals come at all small intervals, releases take
   * each of some times.
   */
  @Test
  void shouldReleaseThreadsAsTheModelInAllSmallSequences() throws InterruptedException {
    List<Runnable> cases = new ArrayList<>();
    for (Sporadic parameters : ArrivalModel.smallParameters(2, 2)) {
      for (long durationNs : new long[] {0, 2, 5}) {
        Sequences.forEach(
            new long[] {0, 1, 3},
            3,
            gaps -> {
              long[] copy = gaps.clone();
              cases.add(() -> compareThread(parameters, durationNs, copy));
            });
      }
    }
    cases.forEach(Runnable::run);
    assertThat(cases).hasSizeGreaterThan(3_000);
  }

  private static void compareThread(Sporadic parameters, long durationNs, long[] gapsNs) {
    List<List<Long>> expected = new ArrayList<>();
    List<Object> expectedFates = new ArrayList<>();
    model(parameters, durationNs, gapsNs, expected, expectedFates);
    List<List<Long>> released = new ArrayList<>();
    List<Object> fates = new ArrayList<>();
    VirtualClock clock = new VirtualClock();
    Sleeper work = clock.newSleeper();
    try (RealtimeThread thread =
        RealtimeThread.builder("model")
            .clock(clock)
            .release(parameters)
            .body(
                self -> {
                  released.add(List.of(self.releaseNs(), self.beginNs()));
                  work.sleepUntil(clock.nanoTime() + durationNs);
                })
            .build()) {
      thread.startAt(0);
      long nowNs = 0;
      for (long gapNs : gapsNs) {
        nowNs += gapNs;
        clock.runUntil(nowNs, 1);
        try {
          fates.add(thread.release());
        } catch (ArrivalException e) {
          fates.add(e.arrival());
        }
        clock.awaitSleepers(1);
      }
      clock.runUntil(nowNs + 100, 1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    String name = parameters + ", " + durationNs + " ns each, gaps " + Arrays.toString(gapsNs);
    assertThat(fates).as(name).isEqualTo(expectedFates);
    assertThat(released).as(name).isEqualTo(expected);
  }

  /** A thread that is busy for so long with each release, tick by tick. */
  private static void model(
      Sporadic parameters,
      long durationNs,
      long[] gapsNs,
      List<List<Long>> released,
      List<Object> fates) {
    ArrivalModel queue = new ArrivalModel(parameters);
    long nextArrivalNs = gapsNs[0];
    int next = 0;
    long busyUntilNs = 0;
    for (long tick = 0; tick < 50; tick++) {
      while (true) {
        long releaseNs = tick >= busyUntilNs ? queue.poll(tick) : ArrivalQueue.NONE;
        if (releaseNs != ArrivalQueue.NONE) {
          released.add(List.of(releaseNs, tick));
          busyUntilNs = tick + durationNs;
        } else if (next < gapsNs.length && tick == nextArrivalNs) {
          fates.add(queue.arrive(tick));
          next++;
          nextArrivalNs += next < gapsNs.length ? gapsNs[next] : 0;
        } else {
          break;
        }
      }
    }
  }

  @Test
  void shouldQueueAperiodicArrivalsUntilFull() {
    ArrivalQueue queue =
        new ArrivalQueue(Aperiodic.ofCapacity(2).withWhenFull(QueuePolicy.IGNORE), SYSTEM);
    assertThat(queue.arrive(5)).isEqualTo(Arrival.ACCEPTED);
    assertThat(queue.arrive(5)).isEqualTo(Arrival.ACCEPTED);
    assertThat(queue.arrive(6)).isEqualTo(Arrival.IGNORED);
    assertThat(queue.poll(6)).isEqualTo(5);
    assertThat(queue.arrive(7)).isEqualTo(Arrival.ACCEPTED);
    assertThat(queue.poll(7)).isEqualTo(5);
    assertThat(queue.poll(7)).isEqualTo(7);
    assertThat(queue.poll(7)).isEqualTo(ArrivalQueue.NONE);
  }

  @Test
  void shouldKeepOrderWhenTimesGoBackALittle() {
    ArrivalQueue queue = new ArrivalQueue(Aperiodic.ofCapacity(2), SYSTEM);
    queue.arrive(10);
    queue.arrive(8);
    assertThat(queue.poll(10)).isEqualTo(10);
    assertThat(queue.poll(10)).isEqualTo(10);
  }
}
