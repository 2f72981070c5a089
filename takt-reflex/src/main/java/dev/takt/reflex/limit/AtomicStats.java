package dev.takt.reflex.limit;

/**
 * A look at the counters of a task's atomic calls, not atomic while they run.
 *
 * @param calls the calls that have ended, nested ones not counted; {@code commits + rejected} of
 *     them, and those that an exception ended
 * @param commits the calls that took effect, or only read
 * @param aborts how often a call began again because the task was released meanwhile or another
 *     call committed first
 * @param waits how often a call waited for the end of a release, or for one to make room in the log
 * @param rejected the calls that gave up at a limit: {@link
 *     dev.takt.reflex.limit.AtomicCallRejected}
 */
public record AtomicStats(long calls, long commits, long aborts, long waits, long rejected) {
  /** Those of a task without atomic methods. */
  public static final AtomicStats NONE = new AtomicStats(0, 0, 0, 0, 0);
}
