package dev.takt.realtime.os;

/**
 * A timer with a file descriptor, which is readable when it has expired.
 *
 * <p><b>Thread rule:</b> any thread, also {@link #close}. <b>Memory:</b> nothing is allocated after
 * a thread's first call.
 */
public interface TimerFd extends AutoCloseable {
  /** Returns the descriptor's number; -1 when it is closed. */
  int fd();

  /**
   * Starts the timer; it replaces what it was set to before.
   *
   * @param firstNs when it expires first, by its clock, in nanoseconds; a time that has passed: now
   * @param intervalNs how often after that, in nanoseconds; 0: not again
   * @return {@link Errno#NONE}; {@link Errno#EBADF} when it is closed
   */
  Errno arm(long firstNs, long intervalNs);

  /** Stops the timer; what has expired before can still be drained. */
  Errno disarm();

  /** Returns how often it has expired since the last call; 0 when it is closed. Never blocks. */
  long drain();

  @Override
  void close();
}
