package dev.takt.bench.pace;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.QuoteTask;
import dev.takt.cli.doctor.Cyclictest;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeScheduling.Service;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * A periodic task: as a Takt task, with real-time scheduling or without, as a thread of plain Java,
 * or doing nothing at all.
 *
 * @param program which of them
 * @param warmupMs how long nothing counts
 * @param measurementMs how long everything counts after that
 * @param bytesPerSecond what another thread allocates
 * @param periodNs the period
 * @param gaps true: the times from one beginning to the next; false: from when a release was due to
 *     its end
 */
public record PacedRun(
    String program,
    int warmupMs,
    int measurementMs,
    long bytesPerSecond,
    long periodNs,
    boolean gaps)
    implements ChildRun.Body<Measurement> {
  /** The shorter period, in nanoseconds. */
  public static final long PERIOD_NS = 100_000;

  private static final int PRIORITY = 80;
  private static final long MILLI_NS = 1_000_000;

  @Override
  public Measurement run() throws Exception {
    LatenessRecorder pace = recorder(periodNs, warmupMs, measurementMs);
    Garbage garbage = new Garbage(bytesPerSecond);
    Thread other = Thread.ofPlatform().daemon().unstarted(garbage);
    if (bytesPerSecond > 0) {
      other.start();
    }
    String granted = "";
    try {
      switch (program) {
        case "takt" ->
            takt(
                EventSpace.create(),
                pace,
                periodNs,
                RuntimeScheduling.NONE.with(Service.STRINGS_PREPARED),
                () -> {});
        case "realtime" ->
            granted =
                takt(EventSpace.create(), pace, periodNs, RuntimeScheduling.REALTIME, () -> {});
        case "plain" -> {
          QuoteTask task = new QuoteTask();
          plain(pace, periodNs, task::execute);
        }
        case "nothing" -> plain(pace, periodNs, () -> {});
        default -> throw new IllegalArgumentException("no program " + program);
      }
    } finally {
      garbage.stop();
      other.join();
    }
    Measurement figure = gaps ? pace.gaps() : pace.responses();
    return figure
        .with("other_mb_s", Math.round(garbage.bytesPerSecond() / 1e6))
        .with("collections", collections())
        .with("fifo", granted.startsWith("FIFO") ? 1 : 0);
  }

  /** Returns how many collections there were in this JVM. */
  public static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(bean -> !bean.getName().contains("Pauses")) // of which each cycle has some
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  /**
   * Runs the task in a space until the recorder has what it wants; calls {@code started} when the
   * task runs, and returns what the system has granted.
   */
  public static String takt(
      EventSpace space,
      LatenessRecorder pace,
      long periodNs,
      RuntimeScheduling scheduling,
      Runnable started)
      throws Exception {
    ReflexTask task = WovenPrograms.task(QuoteTask.class);
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withScheduling(scheduling).withListeners(pace);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      runtime.active("quotes", task, Schedule.periodic(periodNs).priority(PRIORITY));
      runtime.start();
      started.run();
      await(pace);
      String granted = runtime.grants().toString();
      runtime.stop(Duration.ofSeconds(5));
      return granted;
    }
  }

  /** As Takt's active tasks do it: the same timer, and periods that are over are skipped. */
  static void plain(LatenessRecorder pace, long periodNs, Runnable work)
      throws InterruptedException {
    ReleaseTimer timer = new ReleaseTimer(NanoClock.system());
    Thread thread = Thread.ofPlatform().daemon().unstarted(() -> loop(pace, periodNs, work, timer));
    thread.start();
    try {
      await(pace);
    } finally {
      timer.cancel();
      thread.join();
    }
  }

  private static void loop(
      LatenessRecorder pace, long periodNs, Runnable work, ReleaseTimer timer) {
    long releaseNs = System.nanoTime() + periodNs;
    while (timer.await(releaseNs)) {
      long startNs = System.nanoTime();
      work.run();
      pace.released(releaseNs, startNs, System.nanoTime());
      releaseNs += periodNs;
      long lateNs = System.nanoTime() - releaseNs - periodNs;
      if (lateNs >= 0) {
        releaseNs += (lateNs / periodNs + 1) * periodNs;
      }
    }
  }

  /** Makes a recorder that counts for some milliseconds after some that do not count. */
  static LatenessRecorder recorder(long periodNs, int warmupMs, int measureMs) {
    LatenessRecorder recorder = new LatenessRecorder(periodNs);
    recorder.begin(warmupMs * MILLI_NS / periodNs, measureMs * MILLI_NS / periodNs);
    return recorder;
  }

  /**
   * Measures cyclictest with the shorter period and no priority, as the measured threads have none.
   */
  public static Measurement cyclictest(Cyclictest cyclictest, long durationMs)
      throws IOException, InterruptedException {
    LatenessRecorder recorder = new LatenessRecorder(PERIOD_NS);
    recorder.add(cyclictest.wakeUps(PERIOD_NS, durationMs * MILLI_NS / PERIOD_NS, List.of()));
    return recorder.lateness();
  }

  static void await(LatenessRecorder pace) throws InterruptedException {
    if (!pace.await()) {
      throw new IllegalStateException(
          "the releases do not come to an end; is the machine overloaded?");
    }
  }
}
