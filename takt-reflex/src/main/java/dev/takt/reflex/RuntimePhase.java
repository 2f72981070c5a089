package dev.takt.reflex;

/**
 * The phase of a runtime, which goes one way: see {@link ReflexRuntime}.
 *
 * <p><b>Thread rule:</b> any thread. What is to change together with the phase is guarded by this
 * object's monitor, which is never held while anything waits.
 */
final class RuntimePhase {
  /** In the order in which they come; some are left out. */
  enum Phase {
    NEW,
    STARTING,
    RUNNING,
    DRAINING,
    STOPPING,
    STOPPED;

    private boolean mayFollow(Phase before) {
      return switch (this) {
        case NEW -> false;
        case STARTING -> before == NEW;
        case RUNNING -> before == STARTING || before == RUNNING;
        case DRAINING -> before == RUNNING || before == DRAINING;
        case STOPPING -> before.compareTo(STOPPING) < 0;
        case STOPPED -> before == STOPPING;
      };
    }
  }

  private volatile Phase phase = Phase.NEW;
  private volatile boolean releasing;
  private volatile boolean releasingActive;

  /**
   * Goes on to a phase, or stays in it; nothing else changes the phase.
   *
   * @return false if that phase does not follow the present one
   */
  synchronized boolean enter(Phase next) {
    if (!next.mayFollow(phase)) {
      return false;
    }
    phase = next;
    releasing = next == Phase.RUNNING || next == Phase.DRAINING;
    releasingActive = next == Phase.RUNNING;
    return true;
  }

  Phase phase() {
    return phase;
  }

  /** Returns whether passive tasks may be released. */
  boolean mayRelease() {
    return releasing;
  }

  /** Returns whether active tasks may be released. */
  boolean mayReleaseActive() {
    return releasingActive;
  }

  /** Returns whether it stops or has stopped. */
  boolean isStopped() {
    return phase.compareTo(Phase.STOPPING) >= 0;
  }
}
