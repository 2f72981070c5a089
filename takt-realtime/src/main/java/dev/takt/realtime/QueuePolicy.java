package dev.takt.realtime;

/**
 * What becomes of an arrival that comes sooner than the minimum inter-arrival time after the one
 * before it, or finds the queue full: the policies of the RTSJ.
 */
public enum QueuePolicy {
  /** It is refused, and the caller gets an exception. */
  EXCEPT,
  /** It is dropped and counted. */
  IGNORE,
  /**
   * It is kept: released when the minimum inter-arrival time after the one before it has passed.
   * Only for arrivals that come too soon: a queue does not grow.
   */
  SAVE,
  /**
   * It takes the place of the newest arrival that waits in the queue, as if the two had come
   * together at the later time. If none waits, it is dropped and counted as ignored.
   */
  REPLACE
}
