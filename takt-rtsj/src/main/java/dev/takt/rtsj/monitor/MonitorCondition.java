package dev.takt.rtsj.monitor;

import dev.takt.realtime.NanoClock;

/**
 * What threads inside a monitor wait for, until another thread inside signals it: the {@code wait}
 * and {@code notify} of {@code synchronized}, with a queue of its own.
 *
 * <p><b>Guarantees:</b> a wait exits the monitor, however often it was entered, and enters it again
 * as often before it returns. It returns when it was signalled or its time is over, never for no
 * reason; still, whoever waits checks again what it waits for, since others may have been inside
 * first. A signal is for the thread of highest priority, equal ones in the order they came; if
 * nobody waits it does nothing. A wait is not interruptible; an interrupt is kept for later.
 *
 * <p>While a thread waits for a condition nobody inherits its priority, since nobody can tell who
 * will signal. A signalled thread is not moved to the monitor's queue inside the kernel: it wakes
 * up first and enters then, which costs a switch if the one that signals is still inside.
 *
 * <p><b>Thread rule:</b> threads inside the monitor. Nothing allocates but a thread's first wait.
 */
public final class MonitorCondition {
  /** Only touched inside the monitor. */
  private final WaitQueue queue = new WaitQueue();

  private final String name;
  private final Monitor monitor;

  MonitorCondition(String name, Monitor monitor) {
    this.name = name;
    this.monitor = monitor;
  }

  /**
   * Waits until it is signalled.
   *
   * @throws IllegalMonitorStateException if the caller is not inside the monitor
   */
  public void await() {
    await(Long.MAX_VALUE);
  }

  /**
   * Waits until it is signalled, for a time at most.
   *
   * @param timeoutNs how long, in nanoseconds, not counting the time to enter again; zero and less:
   *     lets others in, no more
   * @return whether it was signalled
   * @throws IllegalMonitorStateException if the caller is not inside the monitor
   * @throws IllegalStateException if the caller is an {@link InversionListener}
   * @throws DeadlockException if it cannot enter again, as {@link Monitor#enter}; then it is not
   *     inside any more, and if it was signalled the signal is lost, for it cannot pass it on from
   *     outside: where that can happen use {@link #signalAll}
   * @throws OwnerDiedException likewise
   */
  public boolean await(long timeoutNs) {
    MonitorThread self = MonitorThread.current();
    refuseOutside(self, "wait for");
    if (self.tells) { // and its node may be in the queue of another condition already
      throw new IllegalStateException(
          "%s cannot wait for %s in an inversion listener (remedy: let another thread do it)"
              .formatted(self, this));
    }
    NanoClock clock = monitor.settings().clock();
    WaitNode node = self.condition;
    long deadlineNs = clock.nanoTime() + Math.clamp(timeoutNs, 0, Long.MAX_VALUE / 2);
    node.begin(monitor.priorities().own(self), clock);
    queue.add(node);
    int holds = monitor.release(self);
    node.await(clock, deadlineNs);
    try {
      monitor.reenter(self, holds);
    } catch (Throwable e) {
      self.abandonCondition();
      throw e;
    }
    boolean signalled = node.isServed();
    if (!signalled) {
      queue.remove(node);
    }
    return signalled;
  }

  /**
   * Lets one of those that wait go on.
   *
   * @throws IllegalMonitorStateException if the caller is not inside the monitor
   */
  public void signal() {
    refuseOutside(MonitorThread.current(), "signal");
    WaitNode node = queue.poll();
    while (node != null && !node.serve()) {
      node = queue.poll();
    }
  }

  /**
   * Lets all of those that wait go on.
   *
   * @throws IllegalMonitorStateException if the caller is not inside the monitor
   */
  public void signalAll() {
    refuseOutside(MonitorThread.current(), "signal");
    for (WaitNode node = queue.poll(); node != null; node = queue.poll()) {
      node.serve();
    }
  }

  private void refuseOutside(MonitorThread self, String what) {
    if (!monitor.isHeldBy(self)) {
      throw new IllegalMonitorStateException(
          self + " cannot " + what + " " + this + " (expected: inside " + monitor + ")");
    }
  }

  @Override
  public String toString() {
    return "condition " + name + " of " + monitor;
  }
}
