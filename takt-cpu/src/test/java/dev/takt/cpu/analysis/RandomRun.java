package dev.takt.cpu.analysis;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One processor with fixed priorities, unit by unit of time, where tasks do by chance what their
 * models allow: they come later than they may, are ready late, run for less than their cost, and
 * wait in between. No response time of the analysis may be exceeded here.
 */
final class RandomRun {
  private final List<TaskModel> tasks;
  private final RandomGenerator random;
  private final long[] arrival;
  private final long[] ready;
  private final long[] left;

  /** With so much left to run it suspends itself, */
  private final long[] suspendsAt;

  /** until this time. */
  private final long[] suspendedUntil;

  final long[] response;

  private RandomRun(List<TaskModel> tasks, RandomGenerator random) {
    this.tasks = tasks;
    this.random = random;
    int size = tasks.size();
    arrival = new long[size];
    ready = new long[size];
    left = new long[size];
    suspendsAt = new long[size];
    suspendedUntil = new long[size];
    response = new long[size];
  }

  /**
   * Runs for some time; deadlines must not be after periods, so that one release is there at most.
   */
  static RandomRun of(List<TaskModel> tasks, RandomGenerator random, long end) {
    RandomRun run = new RandomRun(tasks, random);
    for (int i = 0; i < tasks.size(); i++) {
      run.begin(i, random.nextLong(tasks.get(i).periodNs()));
    }
    for (long now = 0; now < end; now++) {
      run.step(now);
    }
    return run;
  }

  private void begin(int i, long arrives) {
    TaskModel task = tasks.get(i);
    boolean worst = random.nextInt(4) > 0;
    arrival[i] = arrives;
    ready[i] = arrives + (worst ? task.jitterNs() : random.nextLong(task.jitterNs() + 1));
    left[i] = worst ? task.costNs() : random.nextLong(1, task.costNs() + 1);
    suspendsAt[i] = task.suspensionNs() == 0 ? 0 : random.nextLong(1, left[i] + 1);
    suspendedUntil[i] = Long.MIN_VALUE;
  }

  private void step(long now) {
    for (int i = 0; i < tasks.size(); i++) {
      TaskModel task = tasks.get(i);
      if (ready[i] <= now && suspendsAt[i] == left[i]) {
        suspendsAt[i] = 0;
        suspendedUntil[i] =
            now
                + (random.nextBoolean()
                    ? task.suspensionNs()
                    : random.nextLong(task.suspensionNs() + 1));
      }
      if (ready[i] <= now && suspendedUntil[i] <= now) {
        left[i]--;
        if (left[i] == 0) {
          response[i] = Math.max(response[i], now + 1 - arrival[i]);
          long slack = random.nextInt(3) == 0 ? random.nextLong(task.periodNs()) : 0;
          begin(i, Math.max(now + 1 - task.jitterNs(), arrival[i] + task.periodNs() + slack));
        }
        return; // this unit of time is used
      }
    }
  }
}
