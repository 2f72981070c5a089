package dev.takt.rtsj.monitor;

/**
 * A thread with a priority above a monitor's ceiling wanted to enter it. Inside it would run with a
 * lower priority than its own.
 */
public final class CeilingViolationException extends IllegalMonitorStateException {
  private static final long serialVersionUID = 1L;

  CeilingViolationException(String message) {
    super(message);
  }
}
