package dev.takt.rtsj.monitor;

/**
 * A thread has died inside a monitor. What the monitor guards may be half changed, so nobody enters
 * it any more: make what it guards anew, with a new monitor.
 */
public final class OwnerDiedException extends IllegalMonitorStateException {
  private static final long serialVersionUID = 1L;

  OwnerDiedException(String message) {
    super(message);
  }
}
