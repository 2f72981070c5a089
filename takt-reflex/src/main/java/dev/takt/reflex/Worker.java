package dev.takt.reflex;

import dev.takt.realtime.os.ThreadScheduling;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread of the pool that runs passive tasks.
 *
 * <p>The first task that becomes runnable by the commit of this worker's own release goes into the
 * worker's <em>next slot</em> and runs next, here: no queue, no other thread to wake, and what it
 * needs is in this processor's cache. Two things keep that fair: a task of higher priority in the
 * queue goes first, and after {@link #MAX_NEXT_RUNS} runs from the slot in a row the queue has its
 * turn.
 *
 * <p><b>Thread rule:</b> everything but {@link #committingIn} is for the worker itself.
 */
final class Worker extends RuntimeThread {
  /**
   * How many times in a row the next slot is preferred to the queue: some 10 us of short releases.
   */
  static final int MAX_NEXT_RUNS = 64;

  /**
   * How often an idle worker looks at the queue before it parks: some 10 us, less than it takes to
   * be woken.
   */
  private static final int IDLE_SPINS = 200;

  /** How long an idle worker sleeps between two sweeps. */
  private static final long SWEEP_INTERVAL_NS = 10_000_000;

  /**
   * A busy worker sweeps once in so many releases (a power of two), so that about 1 ns of each is
   * spent on it.
   */
  private static final int BUSY_SWEEP_RELEASES = 1_024;

  private final WorkerPool pool;
  private final ReleaseContext context;
  private final @Nullable TaskServer server;
  final long idleBit;

  private @Nullable PassiveRunner nextSlot;
  private int nextRuns;
  private int releases;
  private int sweepCursor;

  /**
   * Makes one.
   *
   * @param server what bounds its releases; null: nothing
   */
  Worker(
      WorkerPool pool,
      ReleaseContext context,
      int index,
      ThreadScheduling asked,
      @Nullable TaskServer server) {
    super(null, "takt-worker-" + index, asked);
    this.server = server;
    this.pool = pool;
    this.context = context;
    this.idleBit = 1L << index;
  }

  /** Returns the worker of this pool that is the calling thread and is inside a commit, or null. */
  static @Nullable Worker committingIn(WorkerPool pool) {
    return Thread.currentThread() instanceof Worker worker
            && worker.pool == pool
            && worker.context.committing
        ? worker
        : null;
  }

  boolean isNextSlotFree() {
    return nextSlot == null;
  }

  void fillNextSlot(PassiveRunner runner) {
    nextSlot = runner;
  }

  @Override
  public void run() {
    try (context) {
      enlist();
      if (server == null) {
        work();
      } else {
        serve(server);
      }
    } finally {
      pool.onWorkerEnd();
    }
  }

  private void work() {
    while (pool.mayRelease()) {
      scheduling.raise();
      PassiveRunner runner = next();
      if (runner == null) {
        idle();
      } else {
        release(runner);
      }
    }
  }

  private void serve(TaskServer server) {
    server.begin();
    while (pool.mayRelease()) {
      scheduling.raise();
      if (server.mayServe()) {
        PassiveRunner runner = next();
        if (runner == null) {
          idle();
        } else {
          release(runner);
        }
      }
    }
  }

  private void release(PassiveRunner runner) {
    if (server != null) {
      server.beginRelease();
    }
    runner.run(context);
    if ((++releases & BUSY_SWEEP_RELEASES - 1) == 0) {
      sweep();
    }
  }

  private @Nullable PassiveRunner next() {
    PassiveRunner runner = nextSlot;
    if (runner == null) {
      nextRuns = 0;
      return pool.poll();
    }
    nextSlot = null;
    if (++nextRuns <= MAX_NEXT_RUNS && !pool.hasAbove(runner.priority())) {
      return runner;
    }
    return nextInTurn(runner);
  }

  private PassiveRunner nextInTurn(PassiveRunner runner) {
    nextRuns = 0;
    PassiveRunner queued = pool.poll();
    if (queued == null) {
      return runner;
    }
    runner.requeue();
    return queued;
  }

  private void idle() {
    // What is bounded does not spin: that would be charged, and others may need the processor.
    PassiveRunner runner = server == null ? spin() : null;
    if (runner == null) {
      // An interrupt that a release has left behind would keep this worker from sleeping.
      Thread.interrupted();
      if (server == null) {
        pool.park(this, SWEEP_INTERVAL_NS);
      } else {
        server.beforeRest();
        pool.park(this, SWEEP_INTERVAL_NS);
        server.afterRest();
      }
      if (pool.isEmpty()) {
        sweep();
      }
    } else {
      release(runner);
    }
  }

  private @Nullable PassiveRunner spin() {
    pool.beginSpinning();
    PassiveRunner runner = null;
    for (int i = 0; i < IDLE_SPINS && runner == null && pool.mayRelease(); i++) {
      Thread.onSpinWait();
      runner = pool.poll();
    }
    pool.endSpinning();
    if (runner == null) {
      runner = pool.poll();
    }
    // Producers wake no worker while one spins; a worker that stops spinning takes over that duty.
    if (runner != null && !pool.isEmpty()) {
      pool.wakeOne();
    }
    return runner;
  }

  private void sweep() {
    sweepCursor = pool.sweep(sweepCursor);
  }

  /** Wakes this worker if it is parked; any thread. */
  void wake() {
    LockSupport.unpark(this);
  }
}
