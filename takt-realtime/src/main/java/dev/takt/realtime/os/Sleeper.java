package dev.takt.realtime.os;

/**
 * What one thread sleeps with and others wake it by.
 *
 * <p>It has one permit, as {@link java.util.concurrent.locks.LockSupport} has: a {@link #wake} that
 * comes before the sleep makes the next sleep return at once.
 *
 * <p><b>Thread rule:</b> one thread sleeps; any thread wakes. Neither allocates.
 */
public interface Sleeper {
  /**
   * Puts the calling thread to sleep until a time has come or it is woken; it may return early for
   * no reason.
   *
   * @param timeNs the time, by the clock that this sleeper was made by, in nanoseconds; a time that
   *     has passed returns at once
   */
  void sleepUntil(long timeNs);

  /** Puts the calling thread to sleep until it is woken; it may return early for no reason. */
  void sleep();

  /** Wakes the sleeper, or makes its next sleep return at once. */
  void wake();

  /**
   * Goes once through the code of a sleep and a wake without sleeping, so that the processor has it
   * at hand when the sleeper needs it in earnest. For the thread that sleeps here; takes a
   * microsecond or a few, keeps a permit, and may do nothing.
   */
  default void warmCaches() {}
}
