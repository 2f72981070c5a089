package dev.takt.cpu.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * The processor-demand test of tasks that are scheduled by earliest deadline first on one
 * processor: quick processor-demand analysis.
 *
 * <p>The tasks are schedulable if and only if their utilization is 1 at most and in each interval
 * from the critical instant to a deadline {@code t} the demand
 *
 * <pre>
 * h(t) = sum of max(0, floor((t + J - D) / T) + 1) * (C + S), plus the longest blocking of a task with D &lt;= t
 * </pre>
 *
 * <p>is not more than {@code t}. It goes from the end of the busy period backwards, from a demand
 * to the deadline before it, and so sees a few of all deadlines.
 */
public final class ProcessorDemand {
  /** Beyond this a busy period is not followed: 26 days in nanoseconds. */
  private static final long LIMIT = 1L << 51;

  private static final long MAX_TERMS = 100_000_000;

  private final List<TaskModel> tasks;
  private final long maxTerms;

  /** From arrival to deadline, at the shortest: what is left by the jitter. */
  private final long[] deadlineNs;

  private long terms;
  private boolean isTooLong;
  private boolean isSchedulable;

  private ProcessorDemand(List<TaskModel> tasks, long maxTerms) {
    this.tasks = tasks;
    this.maxTerms = maxTerms;
    deadlineNs = tasks.stream().mapToLong(each -> each.deadlineNs() - each.jitterNs()).toArray();
  }

  /**
   * Analyses tasks.
   *
   * @return what was found; see {@link #isComplete}
   */
  public static ProcessorDemand of(List<TaskModel> tasks) {
    return of(tasks, MAX_TERMS);
  }

  /**
   * Returns whether all tasks meet their deadlines; false, too, if the busy period is too long to
   * be followed (26 days, or 100 million terms).
   */
  public static boolean isSchedulable(List<TaskModel> tasks) {
    return of(tasks).isSchedulable();
  }

  /**
   * The same; false, too, for a set that would take longer than some milliseconds to analyse, as
   * {@link ResponseTimes#areDeadlinesMet} says.
   */
  public static boolean areDeadlinesMet(List<TaskModel> tasks) {
    return of(tasks, ResponseTimes.verdictTerms(tasks.size())).isSchedulable();
  }

  private static ProcessorDemand of(List<TaskModel> tasks, long maxTerms) {
    // A task that suspends itself is taken to run meanwhile.
    List<TaskModel> busy = new ArrayList<>();
    for (TaskModel each : tasks) {
      long busyNs = each.costNs() + each.suspensionNs();
      if (busyNs > each.deadlineNs()) {
        return new ProcessorDemand(tasks, maxTerms);
      }
      busy.add(each.withCostNs(busyNs).withSuspensionNs(0));
    }
    ProcessorDemand analysis = new ProcessorDemand(busy, maxTerms);
    analysis.isSchedulable = !Utilization.isAboveOne(busy) && analysis.test();
    return analysis;
  }

  /** Returns whether all tasks are known to meet their deadlines. */
  public boolean isSchedulable() {
    return isSchedulable;
  }

  /** Returns whether the analysis has come to its end; else nobody knows. */
  public boolean isComplete() {
    return terms <= maxTerms && !isTooLong;
  }

  private boolean test() {
    long firstNs = Long.MAX_VALUE;
    for (int i = 0; i < deadlineNs.length; i++) {
      if (deadlineNs[i] < tasks.get(i).costNs()) {
        return false;
      }
      firstNs = Math.min(firstNs, deadlineNs[i]);
    }
    long endNs = busyPeriod();
    isTooLong = endNs > LIMIT;
    long atNs = deadlineBefore(endNs);
    while (isComplete() && atNs >= firstNs) {
      long demandNs = demand(atNs);
      if (demandNs > atNs) {
        return false;
      }
      if (demandNs <= firstNs) {
        return true; // all earlier deadlines are after it, and their demands not above it
      }
      atNs = demandNs < atNs ? demandNs : deadlineBefore(atNs);
    }
    return isComplete();
  }

  /** Returns the end of the busy period that the critical instant begins. */
  private long busyPeriod() {
    long blockedNs = tasks.stream().mapToLong(TaskModel::blockingNs).max().orElse(0);
    long endNs = blockedNs + tasks.stream().mapToLong(TaskModel::costNs).sum();
    while (endNs <= LIMIT && (terms += tasks.size()) <= maxTerms) {
      long nextNs = blockedNs;
      for (TaskModel each : tasks) {
        nextNs += Math.ceilDiv(endNs + each.jitterNs(), each.periodNs()) * each.costNs();
      }
      if (nextNs == endNs) {
        return endNs;
      }
      endNs = nextNs;
    }
    return Long.MAX_VALUE;
  }

  /** Returns the last deadline before a time; -1: there is none. */
  private long deadlineBefore(long timeNs) {
    long lastNs = -1;
    for (int i = 0; i < deadlineNs.length; i++) {
      if (deadlineNs[i] < timeNs) {
        long periodNs = tasks.get(i).periodNs();
        long periods = (timeNs - 1 - deadlineNs[i]) / periodNs;
        lastNs = Math.max(lastNs, deadlineNs[i] + periods * periodNs);
      }
    }
    return lastNs;
  }

  private long demand(long timeNs) {
    terms += deadlineNs.length;
    long demandNs = 0;
    long blockedNs = 0;
    for (int i = 0; i < deadlineNs.length; i++) {
      if (deadlineNs[i] <= timeNs) {
        TaskModel task = tasks.get(i);
        demandNs += ((timeNs - deadlineNs[i]) / task.periodNs() + 1) * task.costNs();
        blockedNs = Math.max(blockedNs, task.blockingNs());
      }
    }
    return demandNs + blockedNs;
  }
}
