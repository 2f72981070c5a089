package dev.takt.cpu.portable;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTurn;
import dev.takt.realtime.os.Sleeper;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One task's place among those that a {@link BatonThread} gives the processor to.
 *
 * <pre>
 *   AWAY --await--&gt; WAITING --(scheduler)--&gt; HOLDING --giveBack--&gt; AWAY
 *                      |                        |
 *                    leave                 (scheduler: its slot is over)
 *                      v                        v
 *   AWAY &lt;--rejoin--  LEFT                    LATE --giveBack--&gt; AWAY
 * </pre>
 *
 * <p><b>Thread rule:</b> {@link #await} and {@link #giveBack}: the task's thread; the rest: any.
 */
public final class Turn implements ReleaseTurn {
  enum State {
    /** It waits for nothing, and does not hold the baton. */
    AWAY,
    WAITING,
    HOLDING,
    /** It has lost the baton, and its release goes on. */
    LATE,
    /** It takes part no more. */
    LEFT
  }

  private final Sleeper sleeper;
  private final Runnable changed;
  private final AtomicReference<State> state = new AtomicReference<>(State.AWAY);
  private volatile long deadlineNs;
  private volatile long costNs;
  private volatile long slotNs;

  /** When a task that waits is due; written before the state. */
  private long dueNs;

  /** When it gave the baton back last; written before the state. */
  private long endNs;

  /**
   * Makes one.
   *
   * @param changed is called when the scheduler should look
   */
  Turn(NanoClock clock, Runnable changed) {
    this.sleeper = clock.newSleeper();
    this.changed = changed;
  }

  /**
   * Sets what it is scheduled by from the next slot on.
   *
   * @param deadlineNs the shorter it is, the sooner it is its turn
   * @param costNs what a slot is at least
   * @param slotNs what it is without delay, at least the cost
   */
  public void become(long deadlineNs, long costNs, long slotNs) {
    this.deadlineNs = deadlineNs;
    this.costNs = costNs;
    this.slotNs = Math.max(costNs, slotNs);
  }

  @Override
  public boolean await(long dueNs) {
    while (ask(dueNs)) {
      while (state.get() == State.WAITING) {
        sleeper.sleep();
        Thread.interrupted();
      }
      if (state.get() != State.AWAY) { // else it has left, and is back already: asks anew
        return state.get() != State.LEFT;
      }
    }
    return false;
  }

  /** Asks for the baton; false if it takes part no more. */
  boolean ask(long dueNs) {
    this.dueNs = dueNs;
    boolean asked = state.compareAndSet(State.AWAY, State.WAITING);
    changed.run();
    return asked;
  }

  @Override
  public void giveBack(long nowNs) {
    endNs = nowNs;
    State before = state.get();
    // Only the scheduler, from HOLDING to LATE, and leave() change it meanwhile.
    while (before != State.LEFT && !state.compareAndSet(before, State.AWAY)) {
      before = state.get();
    }
    changed.run();
  }

  @Override
  public void leave() {
    state.set(State.LEFT);
    sleeper.wake();
    changed.run();
  }

  @Override
  public void rejoin() {
    state.compareAndSet(State.LEFT, State.AWAY);
  }

  // ---- for the scheduler

  State state() {
    return Objects.requireNonNull(state.get());
  }

  boolean isDue(long nowNs) {
    return state.get() == State.WAITING && dueNs - nowNs <= 0;
  }

  boolean handOver() {
    boolean handed = state.compareAndSet(State.WAITING, State.HOLDING);
    sleeper.wake();
    return handed;
  }

  /** Takes the baton; false if it was given back before. */
  boolean takeAway() {
    return state.compareAndSet(State.HOLDING, State.LATE);
  }

  long dueNs() {
    return dueNs;
  }

  long endNs() {
    return endNs;
  }

  long deadlineNs() {
    return deadlineNs;
  }

  long costNs() {
    return costNs;
  }

  long slotNs() {
    return slotNs;
  }
}
