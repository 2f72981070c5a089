package dev.takt.bench.session;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.QuoteTask;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskStats;
import dev.takt.space.EventSpace;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * A real-time task of 1 kHz beside whatever else runs, in turns with the floor: a thread in C with
 * the same period and priority, which only wakes up.
 *
 * @param warmupMs for how long nothing counts at the very first, and in each turn, in milliseconds
 * @param measureMs for how long the task counts in all turns together, and the floor as long
 * @param turns how many turns each has
 * @param floor where the program of the floor is; {@link BaselineProgram#NONE}: there is none
 */
public record PacedTask(int warmupMs, int measureMs, int turns, String floor) {
  private static final long PERIOD_NS = 1_000_000;
  private static final int PRIORITY = 80;
  private static final long MILLI_NS = 1_000_000;

  /**
   * How punctual one of them was.
   *
   * @param gapNs from the begin of a release to that of the next
   * @param turnP999Ns the median of the turns' own 99.9th percentiles of that: stalls of the
   *     machine that few turns have do not show in it
   * @param lateNs how late releases began
   * @param late how many began a period or more late
   * @param misses how many ended past their deadlines, or never began
   * @param releases how many there should have been
   * @param granted what the operating system has granted
   */
  public record Pace(
      Histogram gapNs,
      long turnP999Ns,
      Histogram lateNs,
      long late,
      long misses,
      long releases,
      String granted) {}

  /**
   * What was found.
   *
   * @param task of the task
   * @param floor of the floor; null: there was none
   */
  public record Found(Pace task, Pace floor) {}

  /** The same in one turn and without a floor. */
  PacedTask once() {
    return new PacedTask(warmupMs, measureMs, 1, BaselineProgram.NONE);
  }

  /** Measures both. */
  Found measure() throws Exception {
    return measure(() -> {});
  }

  /** Measures both; what counts begins with {@code begin}, in each turn. */
  Found measure(Runnable begin) throws Exception {
    int count = Math.max(1, Math.toIntExact(measureMs * MILLI_NS / PERIOD_NS / turns));
    LatenessRecorder pace = new LatenessRecorder(PERIOD_NS);
    LatenessRecorder floorPace = new LatenessRecorder(PERIOD_NS);
    long misses = 0;
    String granted = "";
    Thread.sleep(warmupMs); // what runs beside has begun by then
    for (int turn = 0; turn < turns; turn++) {
      RuntimeSettings settings =
          RuntimeSettings.DEFAULTS.withScheduling(RuntimeScheduling.REALTIME).withListeners(pace);
      try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
        misses += turn(runtime, pace, count, begin);
        granted = runtime.grants().toString();
        runtime.stop(Duration.ofSeconds(5));
      }
      if (!floor.equals(BaselineProgram.NONE)) {
        BaselineProgram.wakeUps(floor, PERIOD_NS, count, PRIORITY, floorPace);
      }
    }
    long releases = (long) turns * count;
    Pace task = pace(pace, misses, releases, granted);
    if (floor.equals(BaselineProgram.NONE)) {
      return new Found(task, null);
    }
    long late = (long) floorPace.lateness().count("late");
    return new Found(task, pace(floorPace, late, releases, ""));
  }

  private static Pace pace(LatenessRecorder pace, long misses, long releases, String granted) {
    long late = (long) pace.lateness().count("late");
    Measurement gaps = pace.gaps();
    long turnP999Ns = Math.round(gaps.count(LatenessRecorder.BLOCK_P999));
    Histogram lateNs = pace.lateness().batchNs();
    return new Pace(gaps.batchNs(), turnP999Ns, lateNs, late, misses, releases, granted);
  }

  /** Returns how many releases were missed. */
  private long turn(ReflexRuntime runtime, LatenessRecorder pace, int count, Runnable begin)
      throws Exception {
    TaskControl task =
        runtime.active(
            "quotes",
            WovenPrograms.task(QuoteTask.class),
            Schedule.periodic(PERIOD_NS).priority(PRIORITY));
    runtime.start();
    Thread.sleep(warmupMs);
    begin.run();
    long before = missed(task);
    pace.begin(1, count);
    if (!pace.await()) {
      throw new IllegalStateException("the releases do not end; is the machine overloaded?");
    }
    return missed(task) - before;
  }

  private static long missed(TaskControl task) {
    TaskStats stats = task.stats();
    return stats.misses() + stats.skipped();
  }
}
