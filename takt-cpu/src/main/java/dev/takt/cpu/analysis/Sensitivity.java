package dev.takt.cpu.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/** By how much a task of a set can change before the set is not schedulable any more. */
public final class Sensitivity {
  private Sensitivity() {}

  /**
   * Returns the longest cost with which a set fits: how much longer a task may run is the
   * difference to its cost.
   *
   * @param task the index of the task
   * @param fits whether a set is schedulable; a shorter cost must not make it worse
   * @return the cost; empty: it does not fit with a cost of 1 either
   */
  public static OptionalLong maxCostNs(
      List<TaskModel> tasks, int task, Predicate<List<TaskModel>> fits) {
    TaskModel model = tasks.get(task);
    long limitNs = Math.min(TaskModel.MAX_NS, Math.max(model.deadlineNs(), model.periodNs()));
    return largest(limitNs, costNs -> fits(tasks, task, model.withCostNs(costNs), fits));
  }

  /**
   * Returns the largest value that fits, found by halving: exact where a smaller one never fits
   * worse.
   *
   * @param most the largest that is asked for, at least 1
   * @return 1 to {@code most}; empty: 1 does not fit either
   */
  public static OptionalLong largest(long most, LongPredicate fits) {
    if (!fits.test(1)) {
      return OptionalLong.empty();
    }
    long fitting = 1;
    long tooLarge = most + 1;
    while (tooLarge - fitting > 1) {
      long middle = fitting + (tooLarge - fitting) / 2;
      if (fits.test(middle)) {
        fitting = middle;
      } else {
        tooLarge = middle;
      }
    }
    return OptionalLong.of(fitting);
  }

  /**
   * Returns the smallest value that fits, found by halving: exact where a larger one never fits
   * worse. Whatever is returned fits.
   *
   * @param least the smallest that is asked for
   * @param most the largest that is asked for
   * @return {@code least} to {@code most}; empty: {@code most} does not fit either, or is less
   */
  public static OptionalLong smallest(long least, long most, LongPredicate fits) {
    if (most < least || !fits.test(most)) {
      return OptionalLong.empty();
    }
    long tooSmall = least - 1;
    long fitting = most;
    while (fitting - tooSmall > 1) {
      long middle = tooSmall + (fitting - tooSmall) / 2;
      if (fits.test(middle)) {
        fitting = middle;
      } else {
        tooSmall = middle;
      }
    }
    return OptionalLong.of(fitting);
  }

  /**
   * Returns the shortest period from the present one on, with which a set fits; the deadline keeps
   * its share of it. Found by halving, so it is exact where a longer period never makes it worse.
   *
   * @return the period; empty: the set does not fit with the longest one either
   */
  public static OptionalLong minPeriodNs(
      List<TaskModel> tasks, int task, Predicate<List<TaskModel>> fits) {
    TaskModel model = tasks.get(task);
    return smallest(
        model.periodNs(),
        TaskModel.MAX_NS,
        periodNs -> fits(tasks, task, model.withPeriodNs(periodNs), fits));
  }

  /**
   * Returns how much longer than its cost each task may run before one of lower priority misses its
   * deadline: it, and all above it together, once in any time as long as the longest deadline. It
   * is sufficient, not exact: the work of each task and those above it is looked at once, at its
   * deadline, or at the end of its period where that is sooner. What runs longer adds to that work
   * once, as what blocks a task does.
   *
   * <p><b>Complexity:</b> O(n²).
   *
   * @param tasks the task of highest priority first, without suspension
   * @return the times in the order of the tasks; 0: none was found; {@link TaskModel#MAX_NS}: no
   *     task is below it
   */
  public static long[] spareNs(List<TaskModel> tasks) {
    long[] spareNs = new long[tasks.size()];
    long leastNs = TaskModel.MAX_NS;
    for (int i = spareNs.length - 1; i >= 0; i--) {
      spareNs[i] = leastNs;
      leastNs = Math.min(leastNs, spareNs(tasks, i));
    }
    return spareNs;
  }

  /**
   * Returns by how much a task may be delayed before it misses its deadline; sufficient, not exact.
   */
  public static long spareNs(List<TaskModel> tasks, int task) {
    TaskModel model = tasks.get(task);
    long untilNs = model.deadlineNs() - model.jitterNs();
    // What fits into one period fits into several. What is to end before the period ends must do so
    // before the next release is ready, which can be earlier than that.
    long atNs =
        untilNs >= model.periodNs()
            ? model.periodNs()
            : Math.min(untilNs, model.periodNs() - model.jitterNs());
    long spareNs = atNs - model.costNs() - model.blockingNs();
    for (int i = 0; i < task && spareNs > 0; i++) {
      TaskModel above = tasks.get(i);
      long releases = Math.ceilDiv(atNs + above.jitterNs(), above.periodNs());
      spareNs = releases > spareNs / above.costNs() ? 0 : spareNs - releases * above.costNs();
    }
    return Math.max(0, spareNs);
  }

  private static boolean fits(
      List<TaskModel> tasks, int task, TaskModel model, Predicate<List<TaskModel>> fits) {
    List<TaskModel> changed = new ArrayList<>(tasks);
    changed.set(task, model);
    return fits.test(changed);
  }
}
