package dev.takt.cpu.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * One processor, unit by unit of time, from the critical instant until it is idle for the first
 * time: what the analyses are compared with. For tasks without jitter, blocking and suspension.
 */
final class Simulator {
  private record Job(int task, long arrival, long deadline) {}

  private final List<TaskModel> tasks;
  private final long[] left;
  private final List<Job> ready = new ArrayList<>();
  private final List<Long> work = new ArrayList<>();

  /** The longest response time of each task that was seen. */
  final long[] response;

  boolean missed;

  private Simulator(List<TaskModel> tasks) {
    this.tasks = tasks;
    left = new long[tasks.size()];
    response = new long[tasks.size()];
  }

  /** Runs by priority, the first task's the highest; the jobs of a task in their order. */
  static Simulator byPriority(List<TaskModel> tasks, long limit) {
    return new Simulator(tasks)
        .run(Comparator.comparingInt(Job::task).thenComparingLong(Job::arrival), limit);
  }

  static Simulator byDeadline(List<TaskModel> tasks, long limit) {
    return new Simulator(tasks)
        .run(
            Comparator.comparingLong(Job::deadline)
                .thenComparingInt(Job::task)
                .thenComparingLong(Job::arrival),
            limit);
  }

  private Simulator run(Comparator<Job> order, long limit) {
    Arrays.fill(left, 0);
    for (long now = 0; now < limit; now++) {
      for (int i = 0; i < tasks.size(); i++) {
        TaskModel task = tasks.get(i);
        if (now % task.periodNs() == 0) {
          ready.add(new Job(i, now, now + task.deadlineNs()));
          work.add(task.costNs());
        }
      }
      if (ready.isEmpty()) {
        return this;
      }
      step(order, now);
      if (ready.isEmpty()) {
        return this; // at the end of the busy period, also if the next one follows at once
      }
    }
    missed = true; // it never ends: overloaded
    return this;
  }

  private void step(Comparator<Job> order, long now) {
    Job first = ready.stream().min(order).orElseThrow();
    int at = ready.indexOf(first);
    work.set(at, work.get(at) - 1);
    if (work.get(at) == 0) {
      ready.remove(at);
      work.remove(at);
      response[first.task()] = Math.max(response[first.task()], now + 1 - first.arrival());
      missed |= now + 1 > first.deadline();
    }
  }
}
