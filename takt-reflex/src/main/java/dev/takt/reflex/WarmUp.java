package dev.takt.reflex;

import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.StringConstants;
import dev.takt.realtime.stop.StopSwitch;
import dev.takt.reflex.RuntimeScheduling.Service;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs releases of a task before the first real one, and undoes each, so that the JVM compiles
 * them: once for each task class. Before that, {@link StringConstants} are made, if that is asked
 * for.
 *
 * <p>It ends when the releases do not get faster any more, when the time for it is over, or when
 * one fails otherwise than by {@code abort()}: the state they find may not be one they can work
 * with, and a real release will show it.
 *
 * <p><b>Thread rule:</b> {@link #run} on the thread that sets up; the rest on the one that waits
 * for it.
 *
 * <p>Source: measured; the first release of a fresh JVM takes milliseconds, a compiled one less
 * than a microsecond.
 */
final class WarmUp {
  /** Between two looks whether releases have become faster. */
  private static final int BATCH = 1_000;

  /**
   * How many releases must not have become faster: more than the JVM runs of a method before it
   * compiles it with all it knows.
   */
  private static final int STEADY_BATCHES = 20;

  /** What counts as faster, in per cent. */
  private static final int FASTER_PERCENT = 5;

  private final ReflexRuntime runtime;
  private final Set<Class<?>> done = new HashSet<>();
  private volatile @Nullable TaskRunner running;
  private volatile long endNs;

  /** What {@link #endIfOverdue} has done. */
  private final Set<Class<?>> flipped = new HashSet<>();

  private final Set<TaskRunner> ended = new HashSet<>();

  WarmUp(ReflexRuntime runtime) {
    this.runtime = runtime;
  }

  /** Warms a task up if its class has not been warmed up before. */
  void run(TaskRunner runner, ReleaseContext context) {
    long durationNs = runtime.settings().warmUpNs();
    if (durationNs == 0 || !done.add(runner.task.getClass())) {
      return;
    }
    if (runtime.settings().scheduling().asks(Service.STRINGS_PREPARED)) {
      prepareStrings(runner);
    }
    endNs = runtime.nanoTime() + durationNs;
    running = runner;
    try {
      repeat(runner, context);
    } finally {
      running = null;
    }
  }

  private void prepareStrings(TaskRunner runner) {
    StringConstants.prepare(ReflexRuntime.class);
    StringConstants.prepare(runner.task.getClass());
    for (ReleaseListener listener : runtime.settings().listeners()) {
      StringConstants.prepare(listener.getClass());
    }
  }

  private void repeat(TaskRunner runner, ReleaseContext context) {
    long bestNs = Long.MAX_VALUE;
    int steady = 0;
    long startNs = runtime.nanoTime();
    for (int count = 1; steady < STEADY_BATCHES && runtime.mayRetry(); count++) {
      if (!runner.rehearse(context)) {
        return;
      }
      long nowNs = runtime.nanoTime();
      if (nowNs - endNs >= 0) {
        return;
      }
      if (count % BATCH == 0) {
        long batchNs = nowNs - startNs;
        startNs = nowNs;
        if (batchNs < bestNs - bestNs / 100 * FASTER_PERCENT) {
          bestNs = batchNs;
          steady = 0;
        } else {
          steady++;
        }
      }
    }
  }

  /** Ends the release of a warm-up that has been over for long; called now and then. */
  void endIfOverdue() {
    TaskRunner runner = running;
    if (runner != null && runtime.nanoTime() - endNs > runtime.settings().stopGraceNs()) {
      ForcedStop.end(List.of(runner), flipped);
      ended.add(runner);
    }
  }

  /** Makes up for {@link #endIfOverdue}, once nothing is warmed up any more. */
  void rearm() {
    StopSwitch.rearm(flipped);
    flipped.clear();
    if (runtime.mayRetry()) {
      for (TaskRunner runner : ended) {
        runner.state.memory().forgetStop();
      }
    }
    ended.clear();
  }
}
