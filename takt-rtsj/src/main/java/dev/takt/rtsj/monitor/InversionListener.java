package dev.takt.rtsj.monitor;

/** Called after a thread had to wait for one of lower priority. */
@FunctionalInterface
public interface InversionListener {
  /**
   * Called by the thread that has waited, when it has left this monitor again, by an exit or to
   * wait for a condition, or when its time was up. It may still be inside other monitors: so be
   * quick, and enter and wait for nothing. (To wait for a condition is refused, and of an inversion
   * that the listener itself meets none is told.) Several threads may call at once. What it throws
   * is counted ({@link MonitorStats#listenerFailures}) and dropped.
   *
   * @param monitor what it waited for
   * @param waiter the thread that waited: the caller
   * @param waiterPriority its own priority, at the time of this call: 0 if not real-time, 1 to 99,
   *     or 100 for policy DEADLINE
   * @param owner the thread that was inside when the wait began
   * @param ownerPriority its own priority, likewise, without what it had inherited; that known last
   *     if it has ended
   * @param waitNs how long it waited, in nanoseconds
   */
  void onInversion(
      Monitor monitor,
      Thread waiter,
      int waiterPriority,
      Thread owner,
      int ownerPriority,
      long waitNs);
}
