package dev.takt.cpu.analysis;

import dev.takt.realtime.internal.Ranges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which task runs on which processor; each task stays where it is.
 *
 * @param processors the tasks of each processor, in the order in which they were placed
 */
public record Partition(List<List<TaskModel>> processors) {
  /** Up to so many tasks all partitions are tried. */
  public static final int MAX_EXACT = 12;

  private static final Comparator<TaskModel> BY_UTILIZATION =
      Comparator.comparingDouble(TaskModel::utilization).reversed();

  /** Copies the lists. */
  public Partition {
    processors = processors.stream().map(List::copyOf).toList();
  }

  /**
   * Places tasks on the first processor where they fit, those of the highest utilization first; up
   * to {@link #MAX_EXACT} tasks it goes back and tries all ways.
   *
   * @param processors how many processors there are, 1 to 1,024
   * @param fits whether tasks are schedulable together on one processor; a set that does not fit
   *     must not fit with a task more
   * @return the partition; empty: none was found
   */
  public static Optional<Partition> of(
      List<TaskModel> tasks, int processors, Predicate<List<TaskModel>> fits) {
    Ranges.check("processors", processors, 1, 1_024);
    List<List<TaskModel>> placed = new ArrayList<>();
    for (int i = 0; i < processors; i++) {
      placed.add(new ArrayList<>());
    }
    List<TaskModel> sorted = tasks.stream().sorted(BY_UTILIZATION).toList();
    boolean found = place(sorted, 0, placed, fits, sorted.size() <= MAX_EXACT);
    return found ? Optional.of(new Partition(placed)) : Optional.empty();
  }

  private static boolean place(
      List<TaskModel> sorted,
      int next,
      List<List<TaskModel>> placed,
      Predicate<List<TaskModel>> fits,
      boolean exact) {
    if (next == sorted.size()) {
      return true;
    }
    for (List<TaskModel> processor : placed) {
      processor.add(sorted.get(next));
      if (fits.test(List.copyOf(processor))) {
        if (place(sorted, next + 1, placed, fits, exact)) {
          return true;
        }
        if (!exact) {
          return false;
        }
      }
      processor.removeLast();
      if (processor.isEmpty()) {
        return false; // the other empty ones are no different
      }
    }
    return false;
  }
}
