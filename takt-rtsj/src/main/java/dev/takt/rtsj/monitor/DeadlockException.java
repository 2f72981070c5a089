package dev.takt.rtsj.monitor;

/**
 * Threads would wait for each other for ever. The message names them in order, each with what it
 * holds and waits for; the caller has entered nothing.
 */
public final class DeadlockException extends IllegalMonitorStateException {
  private static final long serialVersionUID = 1L;

  DeadlockException(String message) {
    super(message);
  }
}
