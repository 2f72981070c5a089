package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.QuoteTask;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskStats;
import dev.takt.space.EventSpace;
import java.lang.ref.Reference;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * A task of 1 kHz while another thread stores a tree again and again: a peer by one call after the
 * other, Takt in increments with pauses between; or nobody stores it.
 *
 * @param program what stores; null: nothing does
 * @param objects the nodes of the tree
 * @param warmupMs how long nothing counts, in milliseconds
 * @param measureMs how long everything counts after that, in milliseconds
 */
public record TaskRun(StoreProgram program, int objects, int warmupMs, int measureMs)
    implements ChildRun.Body<TaskRun.Found> {
  private static final long PERIOD_NS = 1_000_000;
  private static final int PRIORITY = 80;
  private static final long MILLI_NS = 1_000_000;
  private static final long INCREMENT_NS = 500_000;
  private static final long INCREMENT_PERIOD_NS = 2_000_000;

  /**
   * What was found.
   *
   * @param gapNs from the begin of a release to that of the next
   * @param responseNs from when a release was due to its end
   * @param misses how many releases ended past their deadlines, or never began
   * @param releases how many there should have been
   * @param stores how often the tree was stored meanwhile, begun ones included
   * @param granted what the operating system has granted to the task
   */
  public record Found(
      Histogram gapNs,
      Histogram responseNs,
      long misses,
      long releases,
      long stores,
      String granted) {}

  /** Stores again and again. */
  private static final class Storing {
    private final Storer storer;
    private final Thread thread;
    private volatile boolean ended;
    private volatile long begun;
    private volatile Throwable failure;

    Storing(Storer storer) {
      this.storer = storer;
      thread = Thread.ofPlatform().name("storing").daemon().unstarted(this::store);
    }

    void start() {
      thread.start();
    }

    private void store() {
      try {
        for (long count = 1; !ended; count++) {
          begun = count;
          if (storer instanceof TaktStorer takt) {
            takt.store(INCREMENT_NS, INCREMENT_PERIOD_NS);
          } else {
            storer.prepare();
            storer.store();
          }
        }
      } catch (Exception e) {
        failure = e;
      }
    }

    void end() throws Exception {
      ended = true;
      thread.join();
      storer.close();
      if (failure != null) {
        throw new IllegalStateException("storing has failed: " + failure, failure);
      }
    }
  }

  @Override
  public Found run() throws Exception {
    if (program == null) {
      StoredGraph held = StoredShape.TREE.plain();
      held.fill(objects);
      Found found = measured(null);
      Reference.reachabilityFence(held); // it was to be in the heap all along
      return found;
    }
    Storing storing = new Storing(program.open(StoredShape.TREE, objects));
    Found found = measured(storing);
    storing.end();
    return found;
  }

  private Found measured(Storing storing) throws Exception {
    LatenessRecorder pace = new LatenessRecorder(PERIOD_NS);
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withScheduling(RuntimeScheduling.REALTIME).withListeners(pace);
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
      TaskControl task =
          runtime.active(
              "quotes",
              WovenPrograms.task(QuoteTask.class),
              Schedule.periodic(PERIOD_NS).priority(PRIORITY));
      runtime.start();
      if (storing != null) {
        storing.start();
      }
      Thread.sleep(warmupMs);
      long before = missed(task);
      long stores = storing == null ? 0 : storing.begun;
      long count = measureMs * MILLI_NS / PERIOD_NS;
      pace.begin(1, count);
      if (!pace.await()) {
        throw new IllegalStateException("the releases do not come to an end");
      }
      long misses = missed(task) - before;
      Measurement gaps = pace.gaps();
      long stored = storing == null ? 0 : storing.begun - stores + 1;
      String granted = runtime.grants().toString();
      runtime.stop(Duration.ofSeconds(5));
      return new Found(gaps.batchNs(), pace.responses().batchNs(), misses, count, stored, granted);
    }
  }

  private static long missed(TaskControl task) {
    TaskStats stats = task.stats();
    return stats.misses() + stats.skipped();
  }
}
