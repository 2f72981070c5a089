package dev.takt.bench.pace;

import dev.takt.bench.ChildRun;
import dev.takt.bench.Figure;
import dev.takt.bench.WovenPrograms;
import dev.takt.bench.programs.QuoteTask;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.List;

/**
 * A task of 100 us: as a Takt task, as a thread of plain Java, or doing nothing at all. Arguments:
 * which, the milliseconds that do not count, those that count, and the bytes that another thread
 * allocates in a second.
 */
public final class PacedRun implements ChildRun.Body {
  /** The period, in nanoseconds. */
  public static final long PERIOD_NS = 100_000;

  private static final long MILLI_NS = 1_000_000;

  /** For {@link ChildRun}. */
  public PacedRun() {}

  @Override
  public Figure run(List<String> arguments) throws Exception {
    Pace pace =
        new Pace(
            PERIOD_NS,
            Long.parseLong(arguments.get(1)) * MILLI_NS,
            Long.parseLong(arguments.get(2)) * MILLI_NS);
    long bytesPerSecond = Long.parseLong(arguments.get(3));
    Garbage garbage = new Garbage(bytesPerSecond);
    Thread other = Thread.ofPlatform().daemon().unstarted(garbage);
    if (bytesPerSecond > 0) {
      other.start();
    }
    try {
      switch (arguments.get(0)) {
        case "takt" -> takt(pace);
        case "plain" -> {
          QuoteTask task = new QuoteTask();
          plain(pace, task::execute);
        }
        case "nothing" -> plain(pace, () -> {});
        default -> throw new IllegalArgumentException("no program " + arguments.get(0));
      }
    } finally {
      garbage.stop();
      other.join();
    }
    return pace.figure().with("other_mb_s", Math.round(garbage.bytesPerSecond() / 1e6));
  }

  private static void takt(Pace pace) throws Exception {
    ReflexTask task = WovenPrograms.task(QuoteTask.class);
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withObserver(
            (control, scheduledNs, startNs, endNs, outcome) -> pace.released(scheduledNs, startNs));
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
      runtime.active("quotes", task, Schedule.periodic(PERIOD_NS));
      runtime.start();
      await(pace);
      runtime.stop(Duration.ofSeconds(5));
    }
  }

  /** As Takt's active tasks do it: the same timer, and periods that are over are skipped. */
  private static void plain(Pace pace, Runnable work) throws InterruptedException {
    ReleaseTimer timer = new ReleaseTimer(NanoClock.system());
    Thread thread = Thread.ofPlatform().daemon().unstarted(() -> loop(pace, work, timer));
    thread.start();
    try {
      await(pace);
    } finally {
      timer.cancel();
      thread.join();
    }
  }

  private static void loop(Pace pace, Runnable work, ReleaseTimer timer) {
    long releaseNs = System.nanoTime() + PERIOD_NS;
    while (timer.await(releaseNs)) {
      long startNs = System.nanoTime();
      work.run();
      pace.released(releaseNs, startNs);
      releaseNs += PERIOD_NS;
      long lateNs = System.nanoTime() - releaseNs - PERIOD_NS;
      if (lateNs >= 0) {
        releaseNs += (lateNs / PERIOD_NS + 1) * PERIOD_NS;
      }
    }
  }

  static void await(Pace pace) throws InterruptedException {
    if (!pace.await()) {
      throw new IllegalStateException(
          "the releases do not come to an end; is the machine overloaded?");
    }
  }
}
