package dev.takt.cpu.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
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
    LongFunction<TaskModel> changed = model::withCostNs;
    if (!fits(tasks, task, changed.apply(1), fits)) {
      return OptionalLong.empty();
    }
    long fitsNs = 1;
    long tooLongNs = limitNs + 1;
    while (tooLongNs - fitsNs > 1) {
      long middleNs = fitsNs + (tooLongNs - fitsNs) / 2;
      if (fits(tasks, task, changed.apply(middleNs), fits)) {
        fitsNs = middleNs;
      } else {
        tooLongNs = middleNs;
      }
    }
    return OptionalLong.of(fitsNs);
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
    if (!fits(tasks, task, model.withPeriodNs(TaskModel.MAX_NS), fits)) {
      return OptionalLong.empty();
    }
    long tooShortNs = model.periodNs() - 1;
    long fitsNs = TaskModel.MAX_NS;
    while (fitsNs - tooShortNs > 1) {
      long middleNs = tooShortNs + (fitsNs - tooShortNs) / 2;
      if (fits(tasks, task, model.withPeriodNs(middleNs), fits)) {
        fitsNs = middleNs;
      } else {
        tooShortNs = middleNs;
      }
    }
    return OptionalLong.of(fitsNs);
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
