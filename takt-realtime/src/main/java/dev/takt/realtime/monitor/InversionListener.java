package dev.takt.realtime.monitor;

/** Is told when a thread had to wait for one of lower priority. */
@FunctionalInterface
public interface InversionListener {
  /**
   * Called by the thread that has waited, which is inside the monitor unless its time was up: so be
   * quick, and enter nothing else. What it throws is counted ({@link
   * MonitorStats#listenerFailures}) and dropped.
   *
   * @param monitor what it waited for
   * @param waiter who waited: the caller
   * @param waiterPriority its own priority: 0 if not real-time, 1 to 99, or 100 for policy DEADLINE
   * @param owner who was inside when the wait began
   * @param ownerPriority its own priority, without what it had inherited
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
