package dev.takt.realtime.os;

/**
 * A counter with a file descriptor, which is readable while the counter is not 0.
 *
 * <p><b>Thread rule:</b> any thread, also {@link #close}. <b>Memory:</b> nothing is allocated after
 * a thread's first call.
 */
public interface EventFd extends AutoCloseable {
  /** Returns the descriptor's number; -1 when it is closed. */
  int fd();

  /** Adds 1 to the counter; nothing when it is closed. Never blocks. */
  void signal();

  /** Returns the counter and sets it to 0; 0 when it is closed. Never blocks. */
  long drain();

  @Override
  void close();
}
