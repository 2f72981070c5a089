package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages under threads that offer, put and stop at the same time. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StageThreadsTest {
  private static final int ITEMS = 2_000;
  private static final int PRODUCERS = 3;
  private static final StageSettings SETTINGS = StageSettings.named("threads").withCounters(false);

  private static FutureTask<Integer> start(Callable<Integer> code) {
    FutureTask<Integer> task = new FutureTask<>(code);
    Thread.ofPlatform().daemon().name("of the test").start(task);
    return task;
  }

  @Test
  void shouldLoseNothingWhenItIsStoppedAtAnyMoment() throws Exception {
    for (int run = 0; run < Seeds.size(100, 10_000); run++) {
      Random random = new Random(Seeds.seed() + run);
      StageSettings settings =
          SETTINGS
              .withCapacity(1 + random.nextInt(8))
              .withBatch(1 + random.nextInt(4))
              .withWorkers(1 + random.nextInt(3))
              .withTargetP90(Duration.ofNanos(random.nextInt(2) * 100_000));
      if (random.nextInt(4) > 0) {
        stopAtAMoment(random, null, settings);
      } else {
        try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
          stopAtAMoment(random, sessions, settings);
        }
      }
    }
  }

  private static void stopAtAMoment(Random random, Sessions sessions, StageSettings settings)
      throws Exception {
    AtomicIntegerArray ends = new AtomicIntegerArray(PRODUCERS * ITEMS);
    AtomicInteger handlers = new AtomicInteger();
    AtomicInteger mostHandlers = new AtomicInteger();
    StageHandler<Integer> handler =
        items -> {
          mostHandlers.accumulateAndGet(handlers.incrementAndGet(), Math::max);
          items.forEach(ends::incrementAndGet);
          handlers.decrementAndGet();
        };
    Stage<Integer> stage =
        sessions == null ? Stage.open(settings, handler) : Stage.open(settings, sessions, handler);
    List<FutureTask<Integer>> producers = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      int first = i * ITEMS;
      boolean puts = random.nextBoolean();
      producers.add(start(() -> produce(stage, first, puts)));
    }
    int moment = random.nextInt(PRODUCERS * ITEMS / 2);
    while (stage.stats().accepted() < moment && !producers.stream().allMatch(FutureTask::isDone)) {
      Thread.yield();
    }
    List<Integer> left = stage.stop(Duration.ofMillis(random.nextInt(2) * 20_000L));
    left.forEach(ends::incrementAndGet);
    stage.close();

    int accepted = 0;
    for (FutureTask<Integer> each : producers) {
      accepted += each.get();
    }
    StageStats stats = stage.stats();
    String why = settings + ", " + Seeds.replay(Seeds.seed());
    int ended = 0;
    for (int i = 0; i < ends.length(); i++) {
      assertThat(ends.get(i)).as(why).isLessThanOrEqualTo(1);
      ended += ends.get(i);
    }
    assertThat(ended).as(why).isEqualTo(accepted);
    assertThat(stats.accepted()).as(why).isEqualTo(accepted);
    assertThat(stats.handled() + stats.givenBack()).as(why).isEqualTo(accepted);
    assertThat(stats.workers()).as(why).isZero();
    assertThat(mostHandlers.get()).as(why).isLessThanOrEqualTo(settings.workers());
  }

  /** Offers items until the stage stops; returns how many it has accepted. */
  private static int produce(Stage<Integer> stage, int first, boolean puts)
      throws InterruptedException {
    int accepted = 0;
    for (int i = 0; i < ITEMS; i++) {
      StageAnswer answer =
          puts ? stage.put(first + i, Duration.ofMinutes(1)) : stage.offer(first + i);
      if (answer == StageAnswer.STOPPED) {
        return accepted;
      }
      accepted += answer.isAccepted() ? 1 : 0;
    }
    return accepted;
  }

  @Test
  void shouldWakeEachPutThatWaitsForRoom() throws Exception {
    AtomicLong sum = new AtomicLong();
    try (Stage<Integer> stage =
        Stage.open(
            SETTINGS.withCapacity(1).withWorkers(2), items -> items.forEach(sum::addAndGet))) {
      List<FutureTask<Integer>> producers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int first = i * ITEMS;
        producers.add(start(() -> produce(stage, first, true)));
      }
      for (FutureTask<Integer> each : producers) {
        assertThat(each.get()).isEqualTo(ITEMS);
      }
      assertThat(stage.stop(Duration.ofMinutes(1))).isEmpty();
    }
    long all = 8L * ITEMS;
    assertThat(sum.get()).isEqualTo(all * (all - 1) / 2);
  }

  @Test
  void shouldLeaveNoThreadBehind() throws Exception {
    for (int i = 0; i < 200; i++) {
      try (Stage<Integer> stage = Stage.open(SETTINGS.withWorkers(3), _ -> {})) {
        stage.offer(i);
      }
    }
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("takt-stage-threads")) {
        // A stage is closed when its last worker says so, which then has an instruction or two
        // left.
        assertThat(each.join(Duration.ofMinutes(1))).as(each.getName()).isTrue();
      }
    }
  }
}
