package dev.takt.cpu.admission;

import dev.takt.cpu.analysis.ProcessorDemand;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.Sensitivity;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.analysis.UtilizationBounds;
import dev.takt.realtime.TimeText;
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
  /**
   * So many tasks of a processor have a fixed priority of their own; all that come after them share
   * the last one.
   */
  public static final int PRIORITIES = 79;

  /** The default share of a processor for tasks: 70 %. Source: CPU control 2.1. */
  public static final double DEFAULT_ALPHA = 0.7;

  /** An analysis. */
  public enum Kind {
    /**
     * The extended bound: tasks of simple models, rate monotonic. Sufficient; the quickest and the
     * strictest. Source: CPU control 2.1.
     */
    EXTENDED_BOUND,
    /**
     * Response times under fixed priorities, the shortest deadline first. The tasks beyond {@value
     * AdmissionTest#PRIORITIES} share a priority: each of these is taken to come after all others
     * of them, which is sufficient.
     */
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
        ? ProcessorDemand.areDeadlinesMet(extended)
        : UtilizationBounds.passHyperbolicBlocked(sharing(extended)) // most do, and it is quick
            || ResponseTimes.areDeadlinesMet(extended) && meetsSharing(extended);
  }

  /** Returns the index of the first task that has no priority of its own. */
  private int firstSharing(int tasks) {
    return kind == Kind.RESPONSE_TIMES && tasks > PRIORITIES ? PRIORITIES - 1 : tasks;
  }

  /**
   * Adds to tasks that share a priority what the others of them can keep them from running that
   * have longer deadlines: one release of each that was ready before. It is no more than one as
   * long as each ends within its period.
   */
  private List<TaskModel> sharing(List<TaskModel> sorted) {
    int first = firstSharing(sorted.size());
    if (first == sorted.size()) {
      return sorted;
    }
    List<TaskModel> sharing = new ArrayList<>(sorted);
    long afterNs = 0;
    for (int i = sorted.size() - 1; i >= first; i--) {
      TaskModel each = sorted.get(i);
      sharing.set(i, each.withBlockingNs(Math.min(TaskModel.MAX_NS, each.blockingNs() + afterNs)));
      afterNs += each.costNs();
    }
    return sharing;
  }

  /** Returns whether each that shares its priority meets its deadline after all others. */
  private boolean meetsSharing(List<TaskModel> sorted) {
    for (int i = firstSharing(sorted.size()); i < sorted.size() - 1; i++) {
      if (!ResponseTimes.areDeadlinesMet(lastOf(sorted, i))) {
        return false;
      }
    }
    return true;
  }

  private static List<TaskModel> lastOf(List<TaskModel> sorted, int task) {
    List<TaskModel> moved = new ArrayList<>(sorted);
    moved.add(moved.remove(task));
    return moved;
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
      case RESPONSE_TIMES, EXTENDED_BOUND -> {
        List<TaskModel> extended = extended(tasks);
        spareNs = Sensitivity.spareNs(extended);
        spareAmongSharing(extended, spareNs);
      }
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

  /** What one that shares its priority takes too much delays all others of them. */
  private void spareAmongSharing(List<TaskModel> extended, long[] spareNs) {
    int first = firstSharing(spareNs.length);
    long leastNs = TaskModel.MAX_NS;
    for (int i = first; i < spareNs.length; i++) {
      leastNs = Math.min(leastNs, Sensitivity.spareNs(lastOf(extended, i), spareNs.length - 1));
    }
    for (int i = 0; i < spareNs.length && first < spareNs.length; i++) {
      spareNs[i] = Math.min(spareNs[i], leastNs);
    }
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
    if (kind == Kind.DEMAND) {
      return "a deadline would be missed";
    }
    List<TaskModel> extended = extended(tasks);
    for (int i = firstSharing(extended.size()); i < extended.size() - 1; i++) {
      if (ResponseTimes.areDeadlinesMet(extended)
          && !ResponseTimes.areDeadlinesMet(lastOf(extended, i))) {
        return missed(lastOf(extended, i))
            + " (from the %sth task of a processor on all have one priority)".formatted(PRIORITIES);
      }
    }
    return missed(extended);
  }

  private static String missed(List<TaskModel> extended) {
    ResponseTimes times = ResponseTimes.ofVerdict(extended);
    for (int i = 0; i < extended.size(); i++) {
      if (!times.meets(i)) {
        if (times.responseNs(i) == ResponseTimes.UNBOUNDED && !times.isComplete()) {
          break;
        }
        return "%s would end %s after its arrival at the worst, its deadline is %s"
            .formatted(
                extended.get(i).name(),
                times.responseNs(i) == ResponseTimes.UNBOUNDED
                    ? "any time"
                    : TimeText.of(times.responseNs(i)),
                TimeText.of(extended.get(i).deadlineNs()));
      }
    }
    return "it takes too long to find out whether all deadlines are met (limit: %s terms); ask for"
        .concat(" periods that are nearer to each other, or for shorter deadlines")
        .formatted(ResponseTimes.verdictTerms(extended.size()));
  }
}
