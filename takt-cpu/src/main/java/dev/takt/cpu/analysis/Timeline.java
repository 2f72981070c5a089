package dev.takt.cpu.analysis;

import dev.takt.realtime.internal.Ranges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which task runs when, from the critical instant on: all tasks arrive at once, then each once a
 * period, and each release takes its whole cost. Jitter, blocking and suspension are left out.
 *
 * @param segments the stretches of time in which one release runs, in their order
 * @param misses the releases that ended after their deadlines, or had not ended at the end
 * @param endNs where it ends
 */
public record Timeline(List<Segment> segments, List<Miss> misses, long endNs) {
  /** How many segments there are at most; what comes after is left out. */
  public static final int MAX_SEGMENTS = 100_000;

  /**
   * A stretch of time.
   *
   * @param task the index of the task that runs
   */
  public record Segment(int task, long fromNs, long toNs) {}

  /** A release of a task that came at {@code arrivalNs} and missed its deadline. */
  public record Miss(int task, long arrivalNs, long deadlineNs) {}

  /** A release; {@code leftNs} is what it still has to run. */
  private static final class Job {
    final int task;
    final long arrivalNs;
    final long deadlineNs;
    long leftNs;

    Job(int task, TaskModel model, long arrivalNs) {
      this.task = task;
      this.arrivalNs = arrivalNs;
      this.deadlineNs = arrivalNs + model.deadlineNs();
      this.leftNs = model.costNs();
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
    return run(tasks, endNs, Comparator.comparingInt(job -> job.task));
  }

  /** Runs tasks by earliest deadline first; of two with the same deadline the first one. */
  public static Timeline byDeadline(List<TaskModel> tasks, long endNs) {
    return run(
        tasks,
        endNs,
        Comparator.<Job>comparingLong(job -> job.deadlineNs).thenComparingInt(job -> job.task));
  }

  private static Timeline run(List<TaskModel> tasks, long endNs, Comparator<Job> order) {
    Ranges.check("endNs", endNs, 1, TaskModel.MAX_NS);
    List<Segment> segments = new ArrayList<>();
    List<Miss> misses = new ArrayList<>();
    List<Deque<Job>> ready = new ArrayList<>(); // of a task only its oldest release can run
    long[] arrivalNs = new long[tasks.size()];
    tasks.forEach(_ -> ready.add(new ArrayDeque<>()));
    long nowNs = 0;
    while (nowNs < endNs && segments.size() < MAX_SEGMENTS) {
      long nextNs = endNs;
      for (int i = 0; i < arrivalNs.length; i++) {
        if (arrivalNs[i] <= nowNs) {
          ready.get(i).add(new Job(i, tasks.get(i), arrivalNs[i]));
          arrivalNs[i] += tasks.get(i).periodNs();
        }
        nextNs = Math.min(nextNs, arrivalNs[i]);
      }
      Job job =
          ready.stream().map(Deque::peek).filter(each -> each != null).min(order).orElse(null);
      if (job != null) {
        nextNs = Math.min(nextNs, nowNs + job.leftNs);
        append(segments, new Segment(job.task, nowNs, nextNs));
        job.leftNs -= nextNs - nowNs;
        if (job.leftNs == 0) {
          ready.get(job.task).remove();
          if (nextNs > job.deadlineNs) {
            misses.add(new Miss(job.task, job.arrivalNs, job.deadlineNs));
          }
        }
      }
      nowNs = nextNs;
    }
    for (Deque<Job> left : ready) {
      for (Job job : left) {
        if (job.deadlineNs <= nowNs) {
          misses.add(new Miss(job.task, job.arrivalNs, job.deadlineNs));
        }
      }
    }
    return new Timeline(segments, misses, nowNs);
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
