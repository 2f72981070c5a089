package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * Receives the notification that an event matching a subscription is there: it has been committed,
 * or a transaction that had claimed it was rolled back.
 *
 * <p><b>Thread rule:</b> {@link #onMatch} and {@link #onGivenBack} run on the thread that committed
 * or rolled back, afterwards, possibly on several threads at once. They must be short, must not
 * block and must not use the transaction that has just ended; what they throw goes to the thread's
 * handler of uncaught exceptions. By the time they run another taker may have been quicker, so it
 * is a reason to look, not a promise; they may be called more than once for one event. They may run
 * in the middle of an operation that looks for something, and are no part of it (see {@link
 * NotifyingThread}).
 */
public interface Subscriber {
  /**
   * Returns whether it is notified. A subscriber that polls the handle returns false, and commits
   * pay nothing for it. Called once, when it subscribes.
   */
  default boolean wantsNotice() {
    return true;
  }

  /**
   * An event that matches the template of {@code handle}, conditions included, has been committed.
   *
   * @param handle the subscription that matches
   */
  void onMatch(Handle handle);

  /**
   * A matching event is available again: a transaction that had claimed it was rolled back. Unless
   * it is overridden, this is {@link #onMatch}.
   *
   * @param handle the subscription that matches
   */
  default void onGivenBack(Handle handle) {
    onMatch(handle);
  }

  /**
   * Returns the transaction in which {@link Handle#next()} and {@link Handle#hasNext()} work, or
   * {@code null} when none is begun; they then act directly on the space, as {@link
   * Handle#nextNow()} does. A transaction that has lost is still the one ({@link
   * Transaction#isBegun}, not {@link Transaction#isRunning}): the handle then throws its {@link
   * Abort}, where without it the handle would take events that no rollback gives back.
   */
  default @Nullable Transaction transaction() {
    return null;
  }

  /**
   * Returns whether less than half is used of what the running transaction may use besides the
   * space, such as memory. A loop over the matches of a handle ends when that is no longer so; the
   * rest of the matches is for the next transaction. Asked on the subscriber's thread while {@link
   * #transaction()} is not null.
   */
  default boolean hasRoom() {
    return true;
  }

  /**
   * Returns how many events the running transaction is to take by loops over handles at most, from
   * 1 on; a loop ends when they are taken. The first match of each loop is taken all the same,
   * unless it is 1. Asked as {@link #hasRoom}.
   */
  default int maxMatches() {
    return Integer.MAX_VALUE;
  }
}
