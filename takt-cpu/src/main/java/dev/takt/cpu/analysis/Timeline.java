package dev.takt.cpu.analysis;

import dev.takt.realtime.internal.Ranges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which task runs when, from the critical instant on: all tasks arrive at once, then each once a
 * period, and each release takes its whole cost. Jitter, blocking and suspension are left out.
 *
 * <p><b>Complexity:</b> O(n) for each arrival and end; it ends early after a million of both, or
 * fewer for more than 100 tasks: then {@code endNs} is before the end that was asked for.
 *
 * @param segments the stretches of time in which one release runs, in their order
 * @param misses the releases that ended after their deadlines, or had not ended at the end
 * @param endNs where it ends
 */
public record Timeline(List<Segment> segments, List<Miss> misses, long endNs) {
  /** How many segments there are at most, and misses; what comes after is left out. */
  public static final int MAX_SEGMENTS = 100_000;

  /** How many arrivals and ends there are at most: a task can have one segment and many of both. */
  private static final int MAX_STEPS = 1_000_000;

  /** At each step all tasks are looked at. */
  private static final int MAX_LOOKS = 100_000_000;

  /**
   * A stretch of time.
   *
   * @param task the index of the task that runs
   */
  public record Segment(int task, long fromNs, long toNs) {}

  /** A release of a task that came at {@code arrivalNs} and missed its deadline. */
  public record Miss(int task, long arrivalNs, long deadlineNs) {}

  /** The releases of a task that have come and not ended: the oldest can run, the others wait. */
  private static final class Waiting {
    final int task;
    final TaskModel model;

    /** When the oldest came, and how long it still has to run. */
    long arrivalNs;

    long leftNs;

    /** When the next one comes; none waits if the oldest would be that one. */
    long nextNs;

    Waiting(int task, TaskModel model) {
      this.task = task;
      this.model = model;
      this.leftNs = model.costNs();
    }

    boolean isReady() {
      return arrivalNs < nextNs;
    }

    long deadlineNs() {
      return arrivalNs + model.deadlineNs();
    }

    void comeUntil(long nowNs) {
      if (nextNs <= nowNs) {
        nextNs += model.periodNs();
      }
    }

    void end() {
      arrivalNs += model.periodNs();
      leftNs = model.costNs();
    }
  }

  /** Copies the lists. */
  public Timeline {
    segments = List.copyOf(segments);
    misses = List.copyOf(misses);
  }

  /**
   * Returns after how long the arrivals repeat: the least common multiple of the periods.
   *
   * @return empty: it is longer than {@link TaskModel#MAX_NS}
   */
  public static OptionalLong hyperperiodNs(List<TaskModel> tasks) {
    long multipleNs = 1;
    for (TaskModel each : tasks) {
      long factor = each.periodNs() / greatestDivisor(multipleNs, each.periodNs());
      if (factor > TaskModel.MAX_NS / multipleNs) {
        return OptionalLong.empty();
      }
      multipleNs *= factor;
    }
    return OptionalLong.of(multipleNs);
  }

  private static long greatestDivisor(long a, long b) {
    return b == 0 ? a : greatestDivisor(b, a % b);
  }

  /** Runs tasks by fixed priorities, that of the first the highest. */
  public static Timeline byPriority(List<TaskModel> tasks, long endNs) {
    return run(tasks, endNs, Comparator.comparingInt(each -> each.task));
  }

  /** Runs tasks by earliest deadline first; of two with the same deadline the first one. */
  public static Timeline byDeadline(List<TaskModel> tasks, long endNs) {
    return run(
        tasks,
        endNs,
        Comparator.comparingLong(Waiting::deadlineNs).thenComparingInt(each -> each.task));
  }

  private static Timeline run(List<TaskModel> tasks, long endNs, Comparator<Waiting> order) {
    Ranges.check("endNs", endNs, 1, TaskModel.MAX_NS);
    List<Segment> segments = new ArrayList<>();
    List<Miss> misses = new ArrayList<>();
    List<Waiting> all = new ArrayList<>();
    tasks.forEach(each -> all.add(new Waiting(all.size(), each)));
    int stepsLeft = Math.min(MAX_STEPS, MAX_LOOKS / Math.max(1, tasks.size()));
    long nowNs = 0;
    while (nowNs < endNs && segments.size() < MAX_SEGMENTS && stepsLeft-- > 0) {
      long nextNs = endNs;
      Waiting first = null;
      for (Waiting each : all) {
        each.comeUntil(nowNs);
        nextNs = Math.min(nextNs, each.nextNs);
        if (each.isReady() && (first == null || order.compare(each, first) < 0)) {
          first = each;
        }
      }
      if (first != null) {
        nextNs = Math.min(nextNs, nowNs + first.leftNs);
        append(segments, new Segment(first.task, nowNs, nextNs));
        first.leftNs -= nextNs - nowNs;
        if (first.leftNs == 0) {
          if (nextNs > first.deadlineNs()) {
            addMiss(misses, first);
          }
          first.end();
        }
      }
      nowNs = nextNs;
    }
    for (Waiting each : all) {
      while (each.isReady() && each.deadlineNs() <= nowNs && addMiss(misses, each)) {
        each.end();
      }
    }
    return new Timeline(segments, misses, nowNs);
  }

  /** Returns whether there was place for it. */
  private static boolean addMiss(List<Miss> misses, Waiting late) {
    return misses.size() < MAX_SEGMENTS
        && misses.add(new Miss(late.task, late.arrivalNs, late.deadlineNs()));
  }

  private static void append(List<Segment> segments, Segment next) {
    Segment last = segments.isEmpty() ? null : segments.getLast();
    if (last != null && last.task == next.task && last.toNs == next.fromNs) {
      segments.set(segments.size() - 1, new Segment(next.task, last.fromNs, next.toNs));
    } else {
      segments.add(next);
    }
  }
}
