package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random tasks on one simulated processor with fixed priorities, of which one does not end: the
 * supervisor's looks, however far they are put off, come before any other task misses a deadline.
 * The overrunning task may be any, the first of all among them.
 */
class LookInTimeTest {
  private static final long SEED = Seeds.seed();
  private static final long US = 1_000;
  private static final long STEP = 10 * US;
  private static final long LOOK = 800 * US;

  /** What is looked at a period apart, and was not prepared for, is found within two periods. */
  private static final long FOUND = 2 * LOOK + LOOK / 4;

  private static final AdmissionTest TEST = AdmissionTest.of(AdmissionTest.Kind.RESPONSE_TIMES);

  private static final class Simulated extends IdleSubject {
    final TaskModel model;
    final ManagedTask task;
    final Thread thread = Thread.ofPlatform().unstarted(() -> {});
    long usedNs;
    long leftNs;
    long number = CostSamples.COLD;
    boolean isLast;

    Simulated(TaskModel model, int threadId, long dueNs) {
      this.model = model;
      Profile profile = Profile.of(model.name(), model.periodNs()).withBudgetNs(model.costNs());
      Decision decision =
          new Decision(0, List.of(), "", OptionalLong.empty(), OptionalLong.empty());
      task =
          new ManagedTask(
              profile, decision, ManagedTask.State.ADMITTED, new CostSamples(1, null, true));
      task.onBegin(thread, () -> threadId, 0);
      task.subject(this);
      nextDueNs = dueNs;
    }

    /** Runs for a step; returns how long after its deadline it has ended. */
    long run(long nowNs, boolean endless) {
      if (running == null) {
        number++;
        running = new RunningRelease(number, nextDueNs, nowNs, thread);
        leftNs = endless ? Long.MAX_VALUE : model.costNs();
      }
      usedNs += STEP;
      leftNs -= STEP;
      if (leftNs > 0) {
        return 0;
      }
      running = null;
      long lateNs = nowNs + STEP - nextDueNs - model.deadlineNs();
      nextDueNs += model.periodNs();
      return lateNs;
    }
  }

  private final List<Simulated> all = new ArrayList<>();
  private final SpareTime spare = new SpareTime();
  private int putOff;

  private Supervisor newSupervisor() {
    return new Supervisor(
        new Supervisor.ThreadTimes() {
          @Override
          public long usedNs(int threadId) {
            return threadId == 0 ? -1 : all.get(threadId - 1).usedNs;
          }

          @Override
          public boolean waits(Thread thread) {
            return false;
          }
        },
        LOOK,
        spare,
        new ColdCode(0),
        new Supervisor.Findings() {
          @Override
          public void overrun(ManagedTask task, long usedNs) {}

          @Override
          public void spent(ManagedTask task, Supervised subject) {
            ((Simulated) subject).isLast = true;
          }

          @Override
          public void demote(ManagedTask task, Supervised subject) {}

          @Override
          public void exceeded(ManagedTask task, Supervised subject, String reason) {}
        });
  }

  @Test
  void shouldFindWhatRunsAwayBeforeAnotherTaskMissesADeadlineByIt() {
    Random random = new Random(SEED);
    int runs = 0;
    int found = 0;
    int delayed = 0;
    for (int set = 0; set < Seeds.size(2_000, 50_000); set++) {
      List<TaskModel> models = randomSet(random);
      int runaway = random.nextInt(models.size());
      if (!TEST.passes(models)
          || TEST.spareNs(models)[runaway] < FOUND
          || models.size() > 1 && leastNs(models) < FOUND) {
        continue;
      }
      all.clear();
      putOff = 0;
      long togetherNs = random.nextBoolean() ? STEP + random.nextLong(LOOK / STEP) * STEP : 0;
      for (TaskModel each : models) {
        long apartNs = random.nextLong(1, each.periodNs() / STEP) * STEP;
        all.add(new Simulated(each, all.size() + 1, togetherNs > 0 ? togetherNs : apartNs));
      }
      String missed = run(runaway, random);
      assertThat(missed)
          .as("seed %s, set %s, runaway %s: %s", SEED, set, runaway, models)
          .isEmpty();
      runs++;
      found += all.get(runaway).isLast ? 1 : 0;
      delayed += putOff > 0 ? 1 : 0;
    }
    assertThat(runs).as("seed %s", SEED).isGreaterThan(Seeds.size(2_000, 50_000) / 20);
    assertThat(found).as("seed %s", SEED).isEqualTo(runs);
    assertThat(delayed).as("looks were put off, seed %s", SEED).isPositive();
  }

  private static long leastNs(List<TaskModel> models) {
    long[] spareNs = TEST.spareNs(models);
    long leastNs = Long.MAX_VALUE;
    for (long each : spareNs) {
      leastNs = Math.min(leastNs, each);
    }
    return leastNs;
  }

  private static List<TaskModel> randomSet(Random random) {
    List<TaskModel> models = new ArrayList<>();
    boolean isFrequent = random.nextInt(4) > 0; // the looks are put off by nearly what is spared
    for (int i = 2 + random.nextInt(4); i > 0; i--) {
      long periodNs = (100 + random.nextLong(isFrequent ? 250 : 1_500)) * STEP;
      long costNs = Math.max(1, random.nextLong(periodNs / STEP / (isFrequent ? 40 : 4))) * STEP;
      models.add(TaskModel.of("task" + i, costNs, periodNs));
    }
    models.sort(
        ResponseTimes.DEADLINE_MONOTONIC.thenComparing(Comparator.comparing(TaskModel::name)));
    return models;
  }

  /** Returns who missed a deadline; empty: nobody. */
  private String run(int runaway, Random random) {
    List<ManagedTask> tasks = all.stream().map(each -> each.task).toList();
    spare.learn(
        spare
            .question(
                List.of(
                    all.stream().map(each -> new SpareTime.Placed(each.task, each.model)).toList()),
                TEST)
            .answer(),
        tasks);
    Supervisor supervisor = newSupervisor();
    long fromNs = random.nextBoolean() ? 0 : random.nextLong(20_000) * US;
    long lookNs = 0;
    for (long nowNs = 0; nowNs < 60_000 * US; nowNs += STEP) {
      if (nowNs >= lookNs) {
        lookNs = supervisor.look(tasks, nowNs);
        putOff += lookNs - nowNs > LOOK ? 1 : 0;
      }
      Simulated first = first(nowNs);
      if (first != null) {
        boolean endless = first == all.get(runaway) && nowNs >= fromNs;
        if (first.run(nowNs, endless) > 0) {
          return "%s at %s us".formatted(first.model.name(), nowNs / US);
        }
      }
    }
    return "";
  }

  private Simulated first(long nowNs) {
    Simulated last = null;
    for (Simulated each : all) {
      if (each.running != null || each.nextDueNs <= nowNs) {
        if (!each.isLast) {
          return each;
        }
        last = each;
      }
    }
    return last;
  }
}
