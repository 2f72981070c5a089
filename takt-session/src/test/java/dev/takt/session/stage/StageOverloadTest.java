package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.session.SessionSettings;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A stage that gets ten times what it can do for 30 seconds, in virtual time. */
class StageOverloadTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final Duration TARGET = Duration.ofMillis(20);
  private static final int SECONDS = 30;

  /** Of one item, on the average. */
  private static final long SERVICE_NS = 4_000_000;

  /** What was seen from outside. */
  private static final class Seen {
    final Map<StageAnswer, Integer> answers = new EnumMap<>(StageAnswer.class);
    final long[] responsesNs = new long[SECONDS * 10_000];
    int responses;
    int arrivals;
    int mostQueued;

    long p90Ns() {
      long[] sorted = Arrays.copyOf(responsesNs, responses);
      Arrays.sort(sorted);
      return sorted[responses * 9 / 10];
    }

    int count(StageAnswer answer) {
      return answers.getOrDefault(answer, 0);
    }
  }

  private static Seen overload(StageSettings settings, double timesTheCapacity) {
    return overload(settings, timesTheCapacity, Seeds.seed());
  }

  private static Seen overload(StageSettings settings, double timesTheCapacity, long seed) {
    Random random = new Random(seed);
    Seen seen = new Seen();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Stage<Long> stage =
          Stage.open(
              settings.withClock(sessions.clock()).withCounters(false),
              sessions,
              items -> {
                Suspension here = Suspension.current();
                long endNs = here.nanoTime() + items.size() * exponential(random, SERVICE_NS);
                while (here.nanoTime() < endNs) {
                  here.await(endNs - here.nanoTime());
                }
                for (Long acceptedNs : items) {
                  seen.responsesNs[seen.responses++] = here.nanoTime() - acceptedNs;
                }
              });
      sessions.start(
          "arrivals",
          () -> {
            Suspension here = Suspension.current();
            long dueNs = 0;
            while (dueNs < SECONDS * SECOND_NS) {
              dueNs += exponential(random, SERVICE_NS / settings.workers() / timesTheCapacity);
              while (here.nanoTime() < dueNs) {
                here.await(dueNs - here.nanoTime());
              }
              seen.answers.merge(stage.offer(here.nanoTime()), 1, Integer::sum);
              if (seen.arrivals++ % 64 == 0) {
                seen.mostQueued = Math.max(seen.mostQueued, stage.stats().queued());
              }
            }
            return stage.stop(Duration.ofMinutes(1));
          });
      sessions.runUntil((SECONDS + 60) * SECOND_NS);
      StageStats end = stage.stats();
      assertThat(end.handled()).isEqualTo(seen.count(StageAnswer.ACCEPTED));
      assertThat(end.accepted()).isEqualTo(end.handled());
      assertThat(end.shed()).isEqualTo(seen.count(StageAnswer.SHED));
    }
    return seen;
  }

  private static long exponential(Random random, double meanNs) {
    return Math.max(1, (long) (-Math.log(1 - random.nextDouble()) * meanNs));
  }

  private static StageSettings settings(int workers, int batch) {
    return StageSettings.named("overload")
        .withWorkers(workers)
        .withBatch(batch)
        .withTargetP90(TARGET);
  }

  @Test
  void shouldKeepTheTargetAndShedTheRestAtTenTimesItsCapacity() {
    for (StageSettings each : List.of(settings(1, 1), settings(4, 1), settings(2, 2))) {
      Seen seen = overload(each, 10);
      double possible = SECONDS * (double) SECOND_NS / SERVICE_NS * each.workers();
      assertThat(seen.p90Ns())
          .as(each + ", " + Seeds.replay(Seeds.seed()))
          .isLessThan(2 * TARGET.toNanos());
      assertThat(seen.count(StageAnswer.ACCEPTED)).isGreaterThan((int) (0.85 * possible));
      assertThat(seen.count(StageAnswer.SHED)).isGreaterThan((int) (8 * possible));
      assertThat(seen.count(StageAnswer.FULL)).isZero();
      assertThat(seen.mostQueued).isLessThan(200);
    }
  }

  @Test
  void shouldShedNextToNothingWhereTheTargetIsMetAnyway() {
    // a burst of several times the usual number is above the limit, and once in a while there is
    // one
    for (int run = 0; run < Seeds.size(10, 1_000); run++) {
      long seed = Seeds.seed() + run;
      Seen seen = overload(settings(4, 1), 0.4, seed);
      assertThat(seen.count(StageAnswer.SHED))
          .as(Seeds.replay(seed))
          .isLessThan(seen.count(StageAnswer.ACCEPTED) / 1_000);
      assertThat(seen.count(StageAnswer.FULL)).isZero();
    }
  }

  @Test
  void shouldFillItsQueueWithoutATarget() {
    Seen seen = overload(settings(1, 1).withTargetP90(Duration.ZERO).withCapacity(100), 10);
    assertThat(seen.mostQueued).isEqualTo(100);
    assertThat(seen.count(StageAnswer.SHED)).isZero();
    assertThat(seen.p90Ns()).isGreaterThan(10 * TARGET.toNanos());
  }
}
