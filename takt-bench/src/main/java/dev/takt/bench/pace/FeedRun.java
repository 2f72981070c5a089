package dev.takt.bench.pace;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Feedable;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.FeedTask;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeScheduling.Service;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.limit.AtomicStats;
import dev.takt.space.EventSpace;
import java.util.List;

/**
 * A task of 100 us that an ordinary thread feeds by atomic calls, beside another one that
 * allocates.
 *
 * @param pauseMs the time between two calls; 0: none
 * @param warmupMs how long nothing counts
 * @param measurementMs how long everything counts after that
 * @param bytesPerSecond what the other thread allocates
 */
public record FeedRun(int pauseMs, int warmupMs, int measurementMs, long bytesPerSecond)
    implements ChildRun.Body<Measurement> {
  private static final long MILLI_NS = 1_000_000;

  @Override
  public Measurement run() throws Exception {
    ReflexTask task = WovenPrograms.task(FeedTask.class);
    Feedable feedable = (Feedable) task;
    Feeder feeder = new Feeder(feedable, pauseMs * MILLI_NS);
    Garbage garbage = new Garbage(bytesPerSecond);
    LatenessRecorder pace = PacedRun.recorder(PacedRun.PERIOD_NS, warmupMs, measurementMs);
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS
            .withScheduling(RuntimeSettings.DEFAULTS.scheduling().with(Service.STRINGS_PREPARED))
            .withListeners(pace);
    List<Thread> others =
        List.of(
            Thread.ofPlatform().daemon().unstarted(garbage),
            Thread.ofPlatform().daemon().unstarted(feeder));
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
      TaskControl control = runtime.active("feed", task, Schedule.periodic(PacedRun.PERIOD_NS));
      runtime.start();
      others.forEach(Thread::start);
      PacedRun.await(pace);
      garbage.stop();
      feeder.stop();
      for (Thread other : others) {
        other.join();
      }
      return figure(pace.gaps(), control, feedable, feeder);
    }
  }

  private static Measurement figure(
      Measurement figure, TaskControl control, Feedable task, Feeder feeder) {
    if (control.failure() != null) {
      throw new IllegalStateException("the task failed", control.failure());
    }
    AtomicStats stats = control.atomicStats();
    long numbers = task.read();
    if (control.atomicStats().calls() == stats.calls()) {
      throw new IllegalStateException("calls of the task do not go through its gate: is it woven?");
    }
    return figure
        .with("calls", stats.calls())
        .with("aborts", stats.aborts())
        .with("waits", stats.waits())
        .with("rejected", stats.rejected())
        .with("numbers", numbers)
        .with("violations", task.violations() + feeder.violations());
  }
}
