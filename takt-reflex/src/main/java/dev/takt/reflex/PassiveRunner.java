package dev.takt.reflex;

import dev.takt.realtime.ReadyQueue;
import dev.takt.realtime.ReadyState;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.os.Grant;
import dev.takt.space.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A passive task: released by a worker of the pool when an event matches one of its subscriptions.
 *
 * <p><b>Purpose.</b> A small object instead of a thread. {@link ReadyState} makes sure that it is
 * in the queue at most once, runs on one worker at a time, and misses no match. A task that has
 * failed too often keeps the state RUNNING for good.
 *
 * <p>A release is due when the commit has made the match: when {@link #onMatch} is called. If that
 * was during a release, the next one has been due since. A release that lost a conflict is repeated
 * with the same due time. What a release has left in the space is due again when it has ended.
 *
 * <p><b>Assumptions.</b> (1) {@link #onMatch} comes after the commit and a full fence. (2) Handles
 * tell the truth about events committed before they are asked.
 *
 * <p><b>Thread rule.</b> {@link #onMatch} and {@link #wakeIfDue}: any thread. {@link #run}: a
 * worker that has taken the task from the queue or its own next slot.
 *
 * <p><b>Memory.</b> About 300 bytes, and what the task's fields need to be saved.
 */
final class PassiveRunner extends TaskRunner {
  private final WorkerPool pool;
  private volatile ReadyQueue queue;
  private final int index;

  private final ReadyState ready = ReadyState.queued();

  /** When it became due; written by the thread that queues it, read by the one that runs it. */
  private long dueNs;

  /**
   * When a commit made a match while the task was running; 0: none has. Of two at the same time,
   * the time of the later one may be kept.
   */
  private long againNs;

  PassiveRunner(
      ReflexRuntime runtime,
      String name,
      ReflexTask task,
      Schedule schedule,
      TaskState state,
      WorkerPool pool,
      int index) {
    super(runtime, name, task, schedule, state);
    this.pool = pool;
    this.queue = pool.queue(schedule.priority());
    this.index = index;
  }

  /** Lets the task be released from now on; looks for matches that are there already. */
  void activate() {
    stamp();
    enqueue();
  }

  @Override
  long spunNs() {
    return 0;
  }

  @Override
  public @Nullable Grant grant() {
    return null;
  }

  @Override
  public void onMatch(Handle handle) {
    if (ready.isIdle()) {
      Worker worker = Worker.committingIn(pool);
      if (worker != null && worker.isNextSlotFree() && ready.claimIdle()) {
        stamp();
        worker.fillNextSlot(this);
        return;
      }
    } else if (timed && ready.isRunning()) {
      againNs = runtime.nanoTime();
    }
    if (ready.makeReady()) {
      stamp();
      enqueue();
    }
  }

  /** Queues the task if it is idle although it has a match. */
  void wakeIfDue() {
    if (ready.isIdle() && isDue()) {
      wake();
    }
  }

  /** Returns whether the task is to be released, or to be retired. */
  private boolean isDue() {
    return hasFailedTooOften() || hasMatchToServe();
  }

  /** Returns whether the task has a match and may be released for it. */
  boolean hasMatchToServe() {
    return !isQuarantined() && subscriptions.hasMatch();
  }

  @Override
  void wake() {
    if (ready.makeReady()) {
      stamp();
      enqueue();
    }
  }

  @Override
  public void demote() {
    lower();
    become(ReflexRuntime.MIN_PRIORITY);
    queue = pool.queue(priority());
  }

  @Override
  public void lower() {
    if (releases.runner() instanceof Worker worker) {
      worker.scheduling.lower();
    }
  }

  /** For the worker that has polled the task. */
  void claim() {
    ready.claim();
  }

  /** Runs one release if there still is a match; then queues the task again or leaves it idle. */
  void run(ReleaseContext context) {
    boolean again = false;
    boolean lost = false;
    againNs = 0;
    if (hasFailedTooOften()) {
      retire();
      return;
    }
    if (hasMatchToServe()) {
      releases.due(dueNs);
      ReleaseOutcome outcome = release(context);
      if (hasFailedTooOften()) {
        retire();
        return;
      }
      // An undone release would most likely end the same way: it waits for the next match, or for
      // the sweep.
      lost = outcome == ReleaseOutcome.CONFLICT;
      again = (lost || outcome == ReleaseOutcome.COMPLETED) && hasMatchToServe();
    }
    if (ready.finish(again)) {
      if (timed && !(again && lost)) {
        dueNs = againNs != 0 ? againNs : runtime.nanoTime();
      }
      enqueue();
    }
  }

  /** Puts the task, which this thread has claimed, back into the queue. */
  void requeue() {
    ready.requeue();
    enqueue();
  }

  private void enqueue() {
    queue.push(index);
    pool.wakeOne();
  }

  private void stamp() {
    if (timed) {
      dueNs = runtime.nanoTime();
    }
  }

  /** Returns whether the task is neither queued nor running and will not be of its own accord. */
  boolean isAtRest() {
    return ready.isIdle() || hasFailedTooOften();
  }
}
