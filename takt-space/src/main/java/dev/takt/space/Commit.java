package dev.takt.space;

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

  Commit(TransactionLog log) {
    this.log = log;
  }

  /** Returns how many events were written, or were written and taken back. */
  public int writtenCount() {
    return log.writtenCount;
  }

  /**
   * Copies an event that was written.
   *
   * @param at from 0 to below {@link #writtenCount}
   * @return false if it was taken back; or if another transaction has taken it meanwhile and its
   *     place in the space is in use again: that was reported, or came before the listener was
   *     attached
   */
  public boolean written(int at, Event into) {
    return log.written[at] >= 0 && load(log.written[at], log.writtenGens[at], into);
  }

  /** Returns the number of an event that was written, or 0 if it was taken back. */
  public long writtenNumber(int at) {
    return log.written[at] < 0 ? 0 : log.writtenStamps[at];
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
