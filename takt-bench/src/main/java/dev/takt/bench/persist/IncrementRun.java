package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.tasks.StoredTreeTask;
import dev.takt.persist.CycleStats;
import dev.takt.persist.PersistSettings;
import dev.takt.persist.Persistence;
import dev.takt.persist.PersistenceTask;
import dev.takt.persist.PersistenceTaskSettings;
import dev.takt.persist.Scheme;
import dev.takt.persist.store.FolderStorage;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * The increments of cycles over a tree that a 1 kHz task changes meanwhile: how long each was, and
 * how long the same thread's are that only look at the clock.
 *
 * @param targetPauseNs the target of an increment
 * @param periodNs their period
 * @param objects the nodes of the tree
 * @param warmup how many cycles do not count
 * @param cycles how many do
 * @param marking whether the scheme is marking, else annotating
 */
public record IncrementRun(
    long targetPauseNs, long periodNs, int objects, int warmup, int cycles, boolean marking)
    implements ChildRun.Body<IncrementRun.Found> {
  private static final int PRIORITY = 40;
  private static final long TASK_PERIOD_NS = 1_000_000;

  /**
   * What was found.
   *
   * @param pauseNs how long increments were
   * @param usedNs how much processor time they took: without the time in which the thread did not
   *     run, because the machine or another thread had its processor
   * @param floorNs how long those were that only look at the clock
   * @param overTarget how many increments were longer than the target
   * @param overTwice how many were longer than twice the target
   * @param cycleNs from the begin of a cycle to its safe snapshot, the median
   * @param workNs all increments of the last cycle together
   * @param objects how many objects a cycle stored
   * @param barrierSaves how many objects the barrier saved in the last cycle
   * @param misses how many deadlines the 1 kHz task missed while cycles counted
   * @param scheduling what the thread of the increments was granted
   */
  public record Found(
      Histogram pauseNs,
      Histogram usedNs,
      Histogram floorNs,
      long overTarget,
      long overTwice,
      long cycleNs,
      long workNs,
      long objects,
      long barrierSaves,
      long misses,
      String scheduling) {}

  @Override
  public Found run() throws Exception {
    return TemporaryFolder.with(this::run);
  }

  private Found run(Path folder) throws Exception {
    PersistSettings persist =
        PersistSettings.DEFAULTS
            .withScheme(marking ? Scheme.MARKING : Scheme.ANNOTATING)
            .withGenerations(1);
    Persistence persistence = Persistence.open(FolderStorage.open(folder), persist);
    Recorder recorder = new Recorder(targetPauseNs);
    try (ReflexRuntime runtime =
        ReflexRuntime.create(EventSpace.create(), RuntimeSettings.DEFAULTS.withWorkers(1))) {
      runtime.active(
          "tree", new StoredTreeTask(objects), Schedule.periodic(TASK_PERIOD_NS).priority(50));
      runtime.start();
      PersistenceTaskSettings settings =
          PersistenceTaskSettings.DEFAULTS
              .withIncrements(targetPauseNs, periodNs)
              .withCyclePeriodNs(0)
              .withScheduling(PRIORITY, scheduling())
              .withCounters(false)
              .withAdmission(request -> recorder);
      CycleStats last = null;
      Histogram cycleNs = Measurement.histogram();
      long missesBefore = 0;
      try (PersistenceTask task = PersistenceTask.of(persistence, runtime, settings)) {
        task.start();
        for (int i = -warmup; i < cycles; i++) {
          if (i == 0) {
            missesBefore = runtime.tasks().getFirst().stats().misses();
          }
          System.gc(); // what the cycle before has left is not collected in the middle of this one
          recorder.record(i >= 0);
          long beginNs = System.nanoTime();
          last = task.request().get();
          recorder.record(false);
          if (i >= 0) {
            cycleNs.recordValue(System.nanoTime() - beginNs);
          }
        }
      }
      long misses = runtime.tasks().getFirst().stats().misses() - missesBefore;
      if (last == null) {
        throw new IllegalArgumentException("cycles=" + cycles + " (expected: at least 1)");
      }
      return new Found(
          recorder.pauseNs,
          recorder.usedNs,
          floor(recorder.pauseNs.getTotalCount()),
          recorder.over(targetPauseNs),
          recorder.over(2 * targetPauseNs),
          cycleNs.getValueAtPercentile(50),
          last.totalNs(),
          last.objects(),
          last.barrierSaves(),
          misses,
          scheduling().toString());
    }
  }

  private static ThreadScheduling scheduling() {
    return ThreadScheduling.fifo(PRIORITY);
  }

  /** The same periods and pauses, of a thread that only looks at the clock. */
  private Histogram floor(long count) throws InterruptedException {
    Histogram floorNs = Measurement.histogram();
    Thread thread =
        new Thread(
            () -> {
              OperatingSystems.current().schedule(scheduling());
              NanoClock clock = NanoClock.system();
              ReleaseTimer timer = new ReleaseTimer(clock, clock.newSleeper(), LeadBounds.NO_SPIN);
              long dueNs = clock.nanoTime();
              for (long i = 0; i < count; i++) {
                dueNs += periodNs;
                timer.await(dueNs);
                long beginNs = clock.nanoTime();
                long nowNs = beginNs;
                while (nowNs - beginNs < targetPauseNs) {
                  nowNs = clock.nanoTime();
                }
                floorNs.recordValue(nowNs - beginNs);
              }
            },
            "floor");
    thread.start();
    thread.join();
    return floorNs;
  }

  /** Admits, and records how long each release is. */
  private static final class Recorder implements AdmissionAnswer, ReleaseListener {
    final Histogram pauseNs = Measurement.histogram();
    final Histogram usedNs = Measurement.histogram();
    private final long budgetNs;
    private volatile boolean isRecording;

    Recorder(long budgetNs) {
      this.budgetNs = budgetNs;
    }

    void record(boolean recording) {
      isRecording = recording;
    }

    long over(long limitNs) {
      return pauseNs.getCountBetweenValues(limitNs + 1, pauseNs.getHighestTrackableValue());
    }

    @Override
    public ReleaseListener listener() {
      return this;
    }

    @Override
    public void onEnd(EndedRelease release) {
      if (isRecording) {
        put(pauseNs, release.endNs() - release.beginNs());
        put(usedNs, budgetNs + release.overBudgetNs());
      }
    }
  }

  private static void put(Histogram to, long ns) {
    to.recordValue(Math.clamp(ns, 0, to.getHighestTrackableValue()));
  }

  /** Prints what a run finds: target pause, period, objects, warm-up, cycles, marking. */
  public static void main(String[] arguments) throws Exception {
    IncrementRun run =
        new IncrementRun(
            Long.parseLong(arguments[0]),
            Long.parseLong(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]),
            Boolean.parseBoolean(arguments[5]));
    Found found = run.run();
    print("pause", found.pauseNs());
    print("used", found.usedNs());
    print("floor", found.floorNs());
    System.out.printf(
        "over target %d, over twice %d, cycle %,d ns, work %,d ns, objects %,d, saves %d, misses"
            + " %d%n",
        found.overTarget(),
        found.overTwice(),
        found.cycleNs(),
        found.workNs(),
        found.objects(),
        found.barrierSaves(),
        found.misses());
  }

  private static void print(String name, Histogram ns) {
    System.out.printf(
        "%s n %d p50 %,d p99 %,d p99.9 %,d p99.99 %,d max %,d%n",
        name,
        ns.getTotalCount(),
        ns.getValueAtPercentile(50),
        ns.getValueAtPercentile(99),
        ns.getValueAtPercentile(99.9),
        ns.getValueAtPercentile(99.99),
        ns.getMaxValue());
  }
}
