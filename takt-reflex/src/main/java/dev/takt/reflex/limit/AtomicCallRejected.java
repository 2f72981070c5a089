package dev.takt.reflex.limit;

/**
 * An atomic call has come to one of its limits and had no effect. The message names the value, the
 * limit and the remedy.
 *
 * <p>Source: Reflexes 6.4.
 */
public final class AtomicCallRejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Which limit it was. */
  public enum Reason {
    /** The call could not happen between two releases in the time it has. */
    TIMEOUT,
    /** The call writes to more places than a release may find changed. */
    TOO_LARGE,
    /** The objects that the call made do not fit into the stable size of the task. */
    STABLE_SIZE
  }

  private final Reason reason;

  /** Makes one; the runtime does. */
  public AtomicCallRejected(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns which limit it was. */
  public Reason reason() {
    return reason;
  }
}
