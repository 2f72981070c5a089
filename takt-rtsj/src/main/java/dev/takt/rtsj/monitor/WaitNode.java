package dev.takt.rtsj.monitor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Sleeper;
import org.jspecify.annotations.Nullable;

/**
 * A thread's place in a {@link WaitQueue}: part of the thread, so that waiting allocates nothing.
 */
final class WaitNode {
  final MonitorThread owner;
  int priority;
  @Nullable WaitNode previous;
  @Nullable WaitNode next;

  /** Set by the thread that took it out of the queue, for the owner to go on. */
  private volatile boolean isServed;

  private volatile boolean isAbandoned;

  /** What {@link #serve} wakes; the owner's, by the clock of this wait. */
  private @Nullable Sleeper sleeper;

  WaitNode(MonitorThread owner) {
    this.owner = owner;
  }

  /** Prepares a wait; before the node is in a queue. */
  void begin(int priority, NanoClock clock) {
    this.priority = priority;
    sleeper = owner.sleeper(clock);
    isServed = false;
  }

  boolean isServed() {
    return isServed;
  }

  /**
   * Sleeps until it is served or a time has come. Sets the mark of an interrupt again afterwards:
   * with it no sleep would last.
   */
  void await(NanoClock clock, long deadlineNs) {
    Sleeper sleeping = owner.sleeper(clock);
    boolean interrupted = false;
    while (!isServed && clock.nanoTime() - deadlineNs < 0) {
      interrupted |= Thread.interrupted();
      sleeping.sleepUntil(deadlineNs);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets its thread go on; after the node was taken out of the queue. False if it has left. */
  boolean serve() {
    if (isAbandoned) {
      return false;
    }
    Sleeper sleeping = sleeper;
    isServed = true;
    if (sleeping != null) {
      sleeping.wake();
    }
    return true;
  }

  /** Notes that its thread has left for good. */
  void abandon() {
    isAbandoned = true;
  }
}
