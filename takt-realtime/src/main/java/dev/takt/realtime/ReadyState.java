package dev.takt.realtime;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state of a task or handler, which runs when there is something to do for it: it is in a queue
 * at most once, runs on one thread at a time, and misses nothing.
 *
 * <pre>
 *             makeReady               claim
 *    +----&gt; IDLE ------------&gt; QUEUED ------------&gt; RUNNING &lt;-+ claimIdle
 *    |        |                  ^ ^                   |  |   |
 *    |        +------------------|-|-------------------|--|---+
 *    |   finish: nothing to do   | |  finish: more to do  | makeReady
 *    +---------------------------|-+-------------------+  v
 *                                +------------------ AGAIN
 *                                       finish
 * </pre>
 *
 * <p>A thread that takes it from the queue calls {@link #claim}, looks whether there is something
 * to do, does it, and calls {@link #finish}. Where threads look at all there is instead of a queue,
 * what is QUEUED is in the queue, and the thread whose {@code claim} returns true has taken it.
 *
 * <p><b>Assumption.</b> {@link #makeReady} is called after what there is to do can be seen.
 *
 * <p><b>Guarantee.</b> Between that and the next moment in state IDLE, a thread looks whether there
 * is something to do: {@code claim} is a full fence before the look; {@code makeReady} comes either
 * before it and finds QUEUED, whose look is still to come, or finds RUNNING and requests another
 * run.
 *
 * <p><b>Thread rule.</b> {@link #finish} and {@link #requeue}: the thread that has claimed it. The
 * rest: any thread; nothing blocks or allocates, and a call begins again only because another one
 * has succeeded.
 */
public final class ReadyState {
  private static final int IDLE = 0;
  private static final int QUEUED = 1;
  private static final int RUNNING = 2;
  private static final int AGAIN = 3;

  private static final VarHandle STATE =
      Fields.handle(MethodHandles.lookup(), ReadyState.class, "state", int.class);

  /** Accessed through {@link #STATE}. */
  private int state;

  private ReadyState(int state) {
    this.state = state;
  }

  /** Makes a state that is QUEUED: nothing runs before the caller has put it into its queue. */
  public static ReadyState queued() {
    return new ReadyState(QUEUED);
  }

  /** Makes a state that is IDLE. */
  public static ReadyState idle() {
    return new ReadyState(IDLE);
  }

  /** Orders a run; returns whether the caller is to put it into its queue. */
  public boolean makeReady() {
    while (true) {
      switch (get()) {
        case IDLE -> {
          if (compareAndSet(IDLE, QUEUED)) {
            return true;
          }
        }
        case RUNNING -> {
          if (compareAndSet(RUNNING, AGAIN)) {
            return false;
          }
        }
        default -> {
          return false;
        }
      }
    }
  }

  /** Claims it for the calling thread without the queue, if it is idle. */
  public boolean claimIdle() {
    return compareAndSet(IDLE, RUNNING);
  }

  /**
   * Claims it for the calling thread, if it is queued; always true for the thread that has taken it
   * from a queue.
   */
  public boolean claim() {
    return compareAndSet(QUEUED, RUNNING);
  }

  /**
   * Ends a run.
   *
   * @param again whether there is more to do
   * @return whether the caller is to put it into its queue again, because there is, or another run
   *     was ordered
   */
  public boolean finish(boolean again) {
    if (!again && compareAndSet(RUNNING, IDLE)) {
      return false;
    }
    requeue();
    return true;
  }

  /** Gives the claim back; the caller puts it into its queue again. */
  public void requeue() {
    STATE.setVolatile(this, QUEUED);
  }

  /** Returns whether it is neither queued nor running. */
  public boolean isIdle() {
    return get() == IDLE;
  }

  /** Returns whether it waits for a thread. */
  public boolean isQueued() {
    return get() == QUEUED;
  }

  /** Returns whether it runs and no other run is ordered. */
  public boolean isRunning() {
    return get() == RUNNING;
  }

  private int get() {
    return (int) STATE.getVolatile(this);
  }

  private boolean compareAndSet(int expected, int next) {
    return STATE.compareAndSet(this, expected, next);
  }
}
