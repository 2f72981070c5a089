package dev.takt.space;

/**
 * Ends the running transaction: it unwinds the task's release or the body of {@link
 * EventSpace#transact}, and whoever began the transaction catches it and rolls back.
 *
 * <p>It is an {@link Error}, so that a {@code catch (Exception e)} in user code does not swallow
 * it, and it carries no stack trace: the instances are made once and thrown from time-critical code
 * without allocating.
 *
 * <p>Source: "High-performance transactional event processing", section 3.2 and Fig. 6.
 */
public final class Abort extends Error {
  private static final long serialVersionUID = 1L;

  /** Why a transaction ended without a commit. */
  public enum Reason {
    /** The task or the body called {@code abort()}. */
    REQUESTED,
    /** Another transaction was in the way and prevailed; a retry may succeed. */
    CONFLICT,
    /**
     * Another thread has ended the transaction by its {@link TransactionToken}; not tried again.
     */
    ENDED,
    /** The space has no room for another event; see {@link SpaceSettings#capacity()}. */
    SPACE_FULL,
    /** The transaction did more operations than {@link SpaceSettings#maxOperations()}. */
    TOO_MANY_OPERATIONS
  }

  private final Reason reason;

  Abort(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Returns why the transaction ended. */
  public Reason reason() {
    return reason;
  }
}
