package dev.takt.cpu.analysis;

import dev.takt.realtime.internal.Ranges;
import java.util.List;

/**
 * Tests of rate-monotonic scheduling that look at utilizations alone: quick and sufficient, for
 * tasks whose deadlines are not shorter than their periods and that have no jitter, blocking or
 * suspension.
 */
public final class UtilizationBounds {
  /** The largest E. */
  public static final int MAX_EXTENSUM = 1_000;

  /** 2, less what the rounding of many factors may add up to. */
  private static final double HYPERBOLIC = 2 - 1e-9;

  private UtilizationBounds() {}

  /** Returns {@code n * (2^(1/n) - 1)}: 1 for one task, 0.828 for two, 0.693 for very many. */
  public static double liuLayland(int tasks) {
    Ranges.check("tasks", tasks, 1, Integer.MAX_VALUE);
    return tasks * Math.expm1(Math.log(2) / tasks);
  }

  /** Returns whether the tasks pass the test of Liu and Layland. */
  public static boolean passLiuLayland(List<TaskModel> tasks) {
    return tasks.isEmpty() || areSimple(tasks) && Utilization.of(tasks) <= liuLayland(tasks.size());
  }

  /** Returns whether the tasks pass the hyperbolic test: the product of all U + 1 is 2 at most. */
  public static boolean passHyperbolic(List<TaskModel> tasks) {
    double product = 1;
    for (TaskModel each : tasks) {
      product *= each.utilization() + 1;
    }
    return tasks.isEmpty() || areSimple(tasks) && product <= 2;
  }

  /**
   * Returns whether each task passes the hyperbolic test with those above it, and with what blocks
   * it as a part of its cost. Sufficient, as {@link #passHyperbolic}, and for blocking, too; a set
   * that passes meets all deadlines in the analysis of response times.
   *
   * <p><b>Complexity:</b> O(n).
   *
   * @param tasks the shortest period first; false, unless each deadline is the period, without
   *     jitter and suspension
   */
  public static boolean passHyperbolicBlocked(List<TaskModel> tasks) {
    double above = 1;
    long lastNs = 0;
    for (TaskModel each : tasks) {
      double own = ((double) each.costNs() + each.blockingNs()) / each.periodNs();
      if (each.deadlineNs() != each.periodNs()
          || each.periodNs() < lastNs
          || each.jitterNs() != 0
          || each.suspensionNs() != 0
          || above * (1 + own) > HYPERBOLIC) {
        return false;
      }
      above *= 1 + each.utilization();
      lastNs = each.periodNs();
    }
    return true;
  }

  /**
   * Returns whether the tasks pass the extended test: {@code sum(ceil(C * E) / T) < alpha * n *
   * (2^(1/n) - 1)}. Source: CPU control 2.1.
   *
   * @param extensum E, by how much more time than its cost a task is given, 1 to {@value
   *     #MAX_EXTENSUM}
   * @param alpha the share of the processor that tasks may take, more than 0, 1 at most
   */
  public static boolean passExtended(List<TaskModel> tasks, double extensum, double alpha) {
    checkFactors(extensum, alpha);
    return tasks.isEmpty()
        || areSimple(tasks)
            && extendedUtilization(tasks, extensum) < alpha * liuLayland(tasks.size());
  }

  /**
   * Checks the two factors of the extended test.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public static void checkFactors(double extensum, double alpha) {
    checkExtensum("extensum", extensum);
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha=" + alpha + " (expected: above 0, at most 1)");
    }
  }

  /**
   * Checks a value of E.
   *
   * @param name what it is called where it was given
   * @throws IllegalArgumentException if it is not 1 to {@value #MAX_EXTENSUM}
   */
  public static void checkExtensum(String name, double extensum) {
    if (!(extensum >= 1 && extensum <= MAX_EXTENSUM)) {
      throw new IllegalArgumentException(
          name + "=" + extensum + " (expected: 1 to " + MAX_EXTENSUM + ")");
    }
  }

  /** Returns the left side of the extended test. */
  public static double extendedUtilization(List<TaskModel> tasks, double extensum) {
    double sum = 0;
    for (TaskModel each : tasks) {
      sum += (double) extendedCostNs(each, extensum) / each.periodNs();
    }
    return sum;
  }

  /** Returns {@code ceil(C * E)}, {@link TaskModel#MAX_NS} at most. Source: CPU control 2.1. */
  public static long extendedCostNs(TaskModel task, double extensum) {
    return Math.min(TaskModel.MAX_NS, (long) Math.ceil(task.costNs() * extensum));
  }

  private static boolean areSimple(List<TaskModel> tasks) {
    return tasks.stream()
        .allMatch(
            each ->
                each.deadlineNs() >= each.periodNs()
                    && each.jitterNs() == 0
                    && each.blockingNs() == 0
                    && each.suspensionNs() == 0);
  }
}
