package dev.takt.cpu.analysis;

import java.util.List;

/**
 * One processor, unit by unit of time, from the critical instant until it is idle for the first
 * time: what the analyses are compared with. Each task becomes ready at once, as late as its jitter
 * lets it, and again as soon as it may; before that something of lower priority keeps the
 * processor. Tasks do not suspend themselves here.
 */
final class Simulator {
  private final List<TaskModel> tasks;

  /** How many tasks take part, from the first on. */
  private final int size;

  /** What each task has run so far; its oldest release that has not ended is that by its cost. */
  private final long[] ran;

  /** How many releases of each have come. */
  private final long[] came;

  /** The longest response time of each task that was seen. */
  final long[] response;

  /** The least deadline that was missed, as a time from the critical instant. */
  long firstMiss = Long.MAX_VALUE;

  /** The greatest one. */
  long lastMiss = Long.MIN_VALUE;

  /** It was not idle within the limit. */
  boolean endless;

  private Simulator(List<TaskModel> tasks, int size) {
    this.tasks = tasks;
    this.size = size;
    ran = new long[size];
    came = new long[size];
    response = new long[size];
  }

  /**
   * Runs by priority, the first task's the highest, for the sake of one of them: what is below it
   * takes no part but by the blocking.
   */
  static Simulator byPriority(List<TaskModel> tasks, int task, long limit) {
    return new Simulator(tasks, task + 1).run(false, tasks.get(task).blockingNs(), limit);
  }

  /**
   * Runs by earliest deadline.
   *
   * @param blocking how long the processor is kept at the beginning
   */
  static Simulator byDeadline(List<TaskModel> tasks, long blocking, long limit) {
    return new Simulator(tasks, tasks.size()).run(true, blocking, limit);
  }

  boolean missed() {
    return firstMiss != Long.MAX_VALUE || endless;
  }

  private Simulator run(boolean deadlines, long blocking, long limit) {
    for (long now = 0; now < limit; now++) {
      long waiting = 0;
      for (int i = 0; i < size; i++) {
        TaskModel task = tasks.get(i);
        while (came[i] * task.periodNs() - task.jitterNs() <= now) {
          came[i]++;
        }
        waiting += came[i] * task.costNs() - ran[i];
      }
      if (now >= blocking) {
        if (waiting == 0) {
          return this;
        }
        step(deadlines, now);
        if (waiting == 1) {
          return this; // at the end of the busy period, also if the next one follows at once
        }
      }
    }
    endless = true;
    return this;
  }

  private void step(boolean deadlines, long now) {
    int first = -1;
    for (int i = 0; i < size; i++) {
      boolean ready = ran[i] < came[i] * tasks.get(i).costNs();
      if (ready && (first < 0 || deadlines && deadline(i) < deadline(first))) {
        first = i;
      }
    }
    long deadline = deadline(first);
    ran[first]++;
    if (ran[first] % tasks.get(first).costNs() == 0) {
      long end = now + 1;
      response[first] = Math.max(response[first], end - deadline + tasks.get(first).deadlineNs());
      if (end > deadline) {
        firstMiss = Math.min(firstMiss, deadline);
        lastMiss = Math.max(lastMiss, deadline);
      }
    }
  }

  /** That of the oldest release that has not ended. */
  private long deadline(int i) {
    TaskModel task = tasks.get(i);
    return ran[i] / task.costNs() * task.periodNs() - task.jitterNs() + task.deadlineNs();
  }
}
