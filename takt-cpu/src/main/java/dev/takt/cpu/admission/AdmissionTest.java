package dev.takt.cpu.admission;

import dev.takt.cpu.analysis.ProcessorDemand;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.Sensitivity;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.analysis.UtilizationBounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What the tasks of one processor have to pass together.
 *
 * @param kind by which analysis
 * @param extensum E, by how much more time than its cost each task is given: 1 to 1,000
 * @param alpha the share of a processor that tasks may take, above 0, at most 1; the rest is for
 *     all other threads
 */
public record AdmissionTest(Kind kind, double extensum, double alpha) {
  /** The default share of a processor for tasks: 70 %. Source: CPU control 2.1. */
  public static final double DEFAULT_ALPHA = 0.7;

  /** An analysis. */
  public enum Kind {
    /**
     * The extended bound: tasks of simple models, rate monotonic. Sufficient; the quickest and the
     * strictest. Source: CPU control 2.1.
     */
    EXTENDED_BOUND,
    /** Response times under fixed priorities, the shortest deadline first. */
    RESPONSE_TIMES,
    /**
     * Response times in the same order, where a release that has begun is not interrupted: each
     * task is blocked by the longest one of those below it. Sufficient.
     */
    NON_PREEMPTIVE,
    /** Processor demand, earliest deadline first. */
    DEMAND
  }

  /** Checks each value. */
  public AdmissionTest {
    Objects.requireNonNull(kind, "kind");
    UtilizationBounds.checkFactors(extensum, alpha);
  }

  /** Makes a test without extra time and with the {@linkplain #DEFAULT_ALPHA default share}. */
  public static AdmissionTest of(Kind kind) {
    return new AdmissionTest(kind, 1, DEFAULT_ALPHA);
  }

  /** Returns this, with another E. */
  public AdmissionTest withExtensum(double extensum) {
    return new AdmissionTest(kind, extensum, alpha);
  }

  /** Returns whether tasks pass; no task passes always. */
  public boolean passes(List<TaskModel> tasks) {
    if (kind == Kind.EXTENDED_BOUND) {
      return UtilizationBounds.passExtended(tasks, extensum, alpha);
    }
    if (UtilizationBounds.extendedUtilization(tasks, extensum) > alpha) {
      return false;
    }
    List<TaskModel> extended = extended(tasks);
    return kind == Kind.DEMAND
        ? ProcessorDemand.isSchedulable(extended)
        : UtilizationBounds.passHyperbolicBlocked(extended) // most sets do, and it is quick
            || ResponseTimes.areDeadlinesMet(extended);
  }

  /**
   * Returns how much longer than its cost each of the tasks that pass may run, with all that come
   * before it together, once in any time as long as the longest deadline, before another task
   * misses its own. What has a reservation cannot run longer.
   *
   * @param tasks the shortest deadline first
   * @return the times in the order of the tasks, in nanoseconds
   */
  public long[] spareNs(List<TaskModel> tasks) {
    long[] spareNs = new long[tasks.size()];
    switch (kind) {
      case DEMAND -> Arrays.fill(spareNs, TaskModel.MAX_NS);
      case RESPONSE_TIMES, EXTENDED_BOUND -> spareNs = Sensitivity.spareNs(extended(tasks));
      case NON_PREEMPTIVE -> {
        List<TaskModel> extended = extended(tasks);
        long leastNs = TaskModel.MAX_NS;
        for (int i = 0; i < spareNs.length; i++) {
          leastNs = Math.min(leastNs, Sensitivity.spareNs(extended, i));
        }
        Arrays.fill(spareNs, leastNs);
      }
    }
    return spareNs;
  }

  /** Gives each task its time more, sorts them by priority, and adds what blocks them. */
  private List<TaskModel> extended(List<TaskModel> tasks) {
    List<TaskModel> sorted =
        tasks.stream()
            .map(each -> each.withCostNs(UtilizationBounds.extendedCostNs(each, extensum)))
            .sorted(ResponseTimes.DEADLINE_MONOTONIC)
            .toList();
    return kind == Kind.NON_PREEMPTIVE ? blocked(sorted) : sorted;
  }

  private static List<TaskModel> blocked(List<TaskModel> sorted) {
    List<TaskModel> blocked = new ArrayList<>(sorted);
    long longestNs = 0;
    for (int i = sorted.size() - 1; i >= 0; i--) {
      TaskModel each = sorted.get(i);
      blocked.set(
          i, each.withBlockingNs(Math.min(TaskModel.MAX_NS, each.blockingNs() + longestNs)));
      longestNs = Math.max(longestNs, each.costNs());
    }
    return blocked;
  }

  /** Says in words, with the figures, why tasks that do not pass do not. */
  String refusal(List<TaskModel> tasks) {
    double utilization = UtilizationBounds.extendedUtilization(tasks, extensum);
    double limit =
        kind == Kind.EXTENDED_BOUND ? alpha * UtilizationBounds.liuLayland(tasks.size()) : alpha;
    String share =
        "%s would take %.1f %% of the processor%s, the limit is %.1f %%"
            .formatted(
                tasks.size() == 1 ? "it alone" : "with it " + tasks.size() + " tasks",
                100 * utilization,
                extensum == 1 ? "" : " (extensum=%.2f)".formatted(extensum),
                100 * limit);
    if (utilization > limit || kind == Kind.EXTENDED_BOUND && utilization >= limit) {
      return share;
    }
    if (kind == Kind.EXTENDED_BOUND) {
      return "the extended bound is for tasks whose deadline is not shorter than the period, without"
          + " jitter, blocking and suspension";
    }
    return kind == Kind.DEMAND ? "a deadline would be missed" : missed(extended(tasks));
  }

  private static String missed(List<TaskModel> extended) {
    ResponseTimes times = ResponseTimes.of(extended);
    for (int i = 0; i < extended.size(); i++) {
      if (!times.meets(i)) {
        return "%s would end %s after its arrival at the worst, its deadline is %s ns"
            .formatted(
                extended.get(i).name(),
                times.responseNs(i) == ResponseTimes.UNBOUNDED
                    ? "any time"
                    : times.responseNs(i) + " ns",
                extended.get(i).deadlineNs());
      }
    }
    throw new IllegalArgumentException("all deadlines are met");
  }
}
