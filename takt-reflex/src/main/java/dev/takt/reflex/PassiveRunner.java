package dev.takt.reflex;

import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.os.Grant;
import dev.takt.space.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A passive task: released by a worker of the pool when an event matches one of its subscriptions.
 *
 * <p><b>Purpose.</b> A small object instead of a thread. Its state makes sure that it is in the run
 * queue at most once, runs on one worker at a time, and misses no match:
 *
 * <pre>
 *             onMatch                 a worker takes it
 *    +----&gt; IDLE ------------&gt; QUEUED ------------&gt; RUNNING &lt;-+ onMatch in a worker's own commit:
 *    |        |                  ^ ^                   |  |   |   straight from IDLE
 *    |        +------------------|-|-------------------|--|---+
 *    |   nothing more to do      | |  match again      |  | onMatch
 *    +---------------------------|-+-------------------+  v
 *                                +------------------ RUNNING_AGAIN
 * </pre>
 *
 * <p>A task that has failed too often stays in state RUNNING for good.
 *
 * <p>A release is due when the commit has made the match: when {@link #onMatch} is called. If that
 * was during a release, the next one has been due since. A release that lost a conflict is repeated
 * with the same due time. What a release has left in the space is due again when it has ended.
 *
 * <p><b>Assumptions.</b> (1) {@link #onMatch} comes after the commit and a full fence. (2) Handles
 * tell the truth about events committed before they are asked.
 *
 * <p><b>Guarantees.</b> (1) Safety: between a commit whose {@code onMatch} has returned and the
 * next moment in state IDLE, a worker looks at the handles. (A worker enters RUNNING with a full
 * fence and looks afterwards; {@code onMatch} either comes before that and finds QUEUED, whose look
 * is still to come, or finds RUNNING and orders another look.) (2) {@code onMatch} neither blocks
 * nor allocates; it repeats only when another thread has changed the state.
 *
 * <p><b>Thread rule.</b> {@link #onMatch} and {@link #wakeIfDue}: any thread. {@link #run}: a
 * worker that has taken the task from the queue or its own next slot.
 *
 * <p><b>Memory.</b> About 300 bytes, and what the task's fields need to be saved.
 */
final class PassiveRunner extends TaskRunner {
  private static final int IDLE = 0;
  private static final int QUEUED = 1;
  private static final int RUNNING = 2;
  private static final int RUNNING_AGAIN = 3;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(PassiveRunner.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WorkerPool pool;
  private volatile RunQueue queue;
  private final int index;

  /**
   * Accessed through {@link #STATE}; QUEUED from the beginning, so that nothing is released before
   * {@link #activate}.
   */
  private int state = QUEUED;

  /** When it became due; written by the thread that queues it, read by the one that runs it. */
  private long dueNs;

  /**
   * When a commit made a match while the task was running. Of two commits at the same time the
   * later one may be the one that is kept.
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
    while (true) {
      int state = getVolatile();
      switch (state) {
        case IDLE -> {
          Worker worker = Worker.committingIn(pool);
          if (worker != null && worker.isNextSlotFree()) {
            if (compareAndSet(IDLE, RUNNING)) {
              stamp();
              worker.fillNextSlot(this);
              return;
            }
          } else if (compareAndSet(IDLE, QUEUED)) {
            stamp();
            enqueue();
            return;
          }
        }
        case RUNNING -> {
          if (timed) {
            againNs = runtime.nanoTime();
          }
          compareAndSet(RUNNING, RUNNING_AGAIN); // and sees what has become of it
        }
        default -> {
          return;
        }
      }
    }
  }

  /** Queues the task if it is idle although it has a match. */
  void wakeIfDue() {
    if (getVolatile() == IDLE && isDue()) {
      wake();
    }
  }

  /** Returns whether the task is to be released, or to be retired. */
  private boolean isDue() {
    return hasFailedTooOften() || hasMatchToServe();
  }

  /** Returns whether the task has a match and may be released for it. */
  boolean hasMatchToServe() {
    return !isQuarantined() && hasMatch();
  }

  @Override
  void wake() {
    if (compareAndSet(IDLE, QUEUED)) {
      stamp();
      enqueue();
    }
  }

  @Override
  public void demote() {
    super.demote();
    queue = pool.queue(priority());
  }

  /** Takes the task out of the state QUEUED, for the worker that has polled it. */
  void claim() {
    // A full fence: the look at the handles must not come before it.
    STATE.setVolatile(this, RUNNING);
  }

  /** Runs one release if there still is a match; then queues the task again or leaves it idle. */
  void run(ReleaseContext context) {
    boolean again = false;
    boolean lost = false;
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
      again = (lost || outcome == ReleaseOutcome.COMMITTED) && hasMatchToServe();
    }
    if (again || !compareAndSet(RUNNING, IDLE)) {
      if (timed && !(again && lost)) {
        dueNs = getVolatile() == RUNNING_AGAIN ? againNs : runtime.nanoTime();
      }
      requeue();
    }
  }

  /** Puts the task, which this thread has claimed, back into the queue. */
  void requeue() {
    STATE.setVolatile(this, QUEUED);
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
    return getVolatile() == IDLE || hasFailedTooOften();
  }

  private int getVolatile() {
    return (int) STATE.getVolatile(this);
  }

  private boolean compareAndSet(int expected, int next) {
    return STATE.compareAndSet(this, expected, next);
  }
}
