package dev.takt.space;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends the running transaction: it unwinds the task's release or the body of {@link
 * EventSpace#transact}, and the caller of {@code begin} catches it and rolls back.
 *
 * <p>It is an {@link Error}, so that a {@code catch (Exception e)} in user code does not swallow
 * it. The instances are made once and thrown from time-critical code without allocating, so they
 * carry no stack trace, unless it is asked for ({@link Transaction#traceAborts}); the task runtime
 * does so for the first one of each kind that a task fails with.
 *
 * <p>Source: Reflexes 3.2 and Fig. 6.
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
    TOO_MANY_OPERATIONS,
    /** The space's {@link CommitJournal} cannot keep what was to be committed. */
    REFUSED
  }

  private final Reason reason;

  Abort(Reason reason, String message) {
    this(reason, message, false);
  }

  private Abort(Reason reason, @Nullable String message, boolean isTraced) {
    super(message, null, false, isTraced);
    this.reason = reason;
  }

  /**
   * Makes one for a space elsewhere, which has ended a transaction with it there; it has a stack
   * trace.
   */
  public static Abort of(Reason reason, String message) {
    return new Abort(Objects.requireNonNull(reason, "reason"), message, true);
  }

  /** Returns one like this with the stack trace of the calling thread. */
  Abort traced() {
    return new Abort(reason, getMessage(), true);
  }

  /** Returns why the transaction ended. */
  public Reason reason() {
    return reason;
  }
}
