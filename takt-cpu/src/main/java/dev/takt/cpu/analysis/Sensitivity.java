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

  private static boolean fits(
      List<TaskModel> tasks, int task, TaskModel model, Predicate<List<TaskModel>> fits) {
    List<TaskModel> changed = new ArrayList<>(tasks);
    changed.set(task, model);
    return fits.test(changed);
  }
}
