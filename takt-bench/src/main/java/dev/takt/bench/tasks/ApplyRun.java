package dev.takt.bench.tasks;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.space.EventSpace;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/**
 * How long a release is held up at its beginning by what atomic calls have changed: it stores them,
 * O(n). The calls come from another thread, so the release finds nothing in its caches.
 *
 * @param places in how many places
 * @param releases how many releases count, after as many that do not
 */
public record ApplyRun(int places, int releases) implements ChildRun.Body<Measurement> {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int PAIRS_A_CALL = 100;

  /** What the turn of the calling thread is when there is none. */
  private static final int MINE = 0;

  private static final int ENDED = -1;

  @Override
  public Measurement run() throws InterruptedException {
    CellsTask task = new CellsTask(pairs(), places / 2);
    RuntimeSettings settings = RuntimeSettings.DEFAULTS.withMaxAtomicEntries(Math.max(16, places));
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
      runtime.active("apply", task, Schedule.continuous()); // and is never started
      AtomicInteger turn = new AtomicInteger();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread caller =
          Thread.ofPlatform()
              .daemon()
              .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
              .start(() -> call(task, turn));
      Measurement figure = measure(task.$takt$gate(), turn, failure);
      turn.set(ENDED);
      caller.join();
      task.set(0, pairs(), 2L * releases, 0);
      return figure;
    }
  }

  private int pairs() {
    return (places + 1) / 2;
  }

  private Measurement measure(
      AtomicGate gate, AtomicInteger turn, AtomicReference<Throwable> failure) {
    Histogram applyNs = Measurement.histogram();
    long fromBytes = 0;
    for (int i = 1; i <= 2 * releases; i++) {
      if (i == releases + 1) {
        fromBytes = THREADS.getCurrentThreadAllocatedBytes();
      }
      turn.set(i);
      while (turn.get() == i) {
        if (failure.get() != null) {
          throw new IllegalStateException("a call failed", failure.get());
        }
        Thread.yield();
      }
      long fromNs = System.nanoTime();
      gate.enter();
      long toNs = System.nanoTime();
      gate.exit();
      if (i > releases) {
        applyNs.recordValue(toNs - fromNs);
      }
    }
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - fromBytes;
    return new Measurement(applyNs, 1, bytes / (double) releases);
  }

  /** Changes all places in each turn; each call finds what the one before has left. */
  private void call(CellsTask task, AtomicInteger turn) {
    for (int now = turn.get(); now != ENDED; now = turn.get()) {
      if (now == MINE) {
        Thread.yield();
        continue;
      }
      for (int from = 0; from < pairs(); from += PAIRS_A_CALL) {
        task.set(from, Math.min(pairs(), from + PAIRS_A_CALL), now - 1, now);
      }
      turn.set(MINE);
    }
  }
}
