package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written and taken, as a {@link CommitListener} sees it.
 *
 * <p>An event has a <em>number</em> that no other one of the space ever has; numbers grow as events
 * are written, compared by their difference, and events that match alike are taken in their order.
 * What a transaction has written and taken back itself is not among them.
 *
 * <p><b>Thread rule:</b> for the thread that calls the listener, until that returns.
 */
public final class Commit {
  private final TransactionLog log;
  private final @Nullable Long last;

  /**
   * Makes the view of a commit.
   *
   * @param last the last number that is not reported when it is written; null: all are
   */
  Commit(TransactionLog log, @Nullable Long last) {
    this.log = log;
    this.last = last;
  }

  /** Returns how many events were written, with those that were taken back. */
  public int writtenCount() {
    return log.writtenCount;
  }

  /**
   * Copies an event that was written.
   *
   * @param at from 0 to below {@link #writtenCount}
   * @return false if its {@link #writtenNumber} is 0; or if another transaction has taken it
   *     meanwhile and its place in the space is in use again: that was reported already
   */
  public boolean written(int at, Event into) {
    return isReported(at) && load(log.written[at], log.writtenGens[at], into);
  }

  /**
   * Returns the number of an event that was written; or 0 if it was taken back, or was written
   * before the listener was attached: a scan gives that one.
   */
  public long writtenNumber(int at) {
    return isReported(at) ? log.writtenStamps[at] : 0;
  }

  private boolean isReported(int at) {
    return log.written[at] >= 0 && (last == null || log.writtenStamps[at] - last > 0);
  }

  /** Returns how many events were taken. */
  public int takenCount() {
    return log.takenCount;
  }

  /**
   * Copies an event that was taken.
   *
   * @param at from 0 to below {@link #takenCount}
   */
  public void taken(int at, Event into) {
    int slot = log.taken[at];
    load(slot, log.slots.genAcquire(slot), into);
  }

  /** Returns the number of an event that was taken. */
  public long takenNumber(int at) {
    EventSlots slots = log.slots;
    return slots.words[slots.base(log.taken[at]) + EventSlots.STAMP];
  }

  private boolean load(int slot, long gen, Event into) {
    return log.table.load(slot, gen, into);
  }
}
