package dev.takt.space;

/**
 * Takes part in each commit: the seam for a journal that promises something about what is
 * committed. A {@link CommitListener} learns of commits afterwards, in any order; a journal is
 * asked before, can refuse, and gets an order that is a serialization order.
 *
 * <pre>
 *   commit:   publish the writes, resolve conflicts with guards
 *             ticket = prepare(delta)        may refuse: the transaction aborts
 *             one compare-and-set            committed, or lost
 *             decided(ticket, which)         before anything is tidied up
 *             tidy up, announce
 *             await(ticket)                  if committed: before commit() returns
 * </pre>
 *
 * <p><b>Why the order of the tickets is a serialization order.</b> Let a journal give each {@code
 * prepare} a number greater than all that it has given before. If a transaction depends on another
 * one (has taken, read or missed what that one wrote, or takes or writes what that one has read or
 * missed), the other was decided before this one resolved its conflicts: what it meets undecided it
 * ends, waits for, or loses to. This one draws its number after that, the other one drew its own
 * before it was decided. So numbers grow along each dependency, and with real time, too: each
 * beginning of this order is a state that the space could have been in.
 *
 * <p><b>Thread rule:</b> {@link #prepare} and {@link #await} are called by the committing thread,
 * {@link #decided} by it or by a thread that clears up what an error has cut off; many at once.
 * None of them may use the space.
 */
public interface CommitJournal {
  /** No ticket. */
  long NONE = -1;

  /**
   * Notes what a transaction is about to do. It is not decided, and may lose.
   *
   * @param delta valid until this method returns; has events or a {@linkplain Commit#cargo cargo}
   * @return a ticket; {@link #NONE} if there is nothing to note
   * @throws Abort made by {@link #refused} if it cannot be noted; nothing may be left of it then
   */
  long prepare(Commit delta);

  /**
   * Makes what {@link #prepare} throws to refuse a commit.
   *
   * @param message value, limit and remedy
   */
  static Abort refused(String message) {
    return new Abort(Abort.Reason.REFUSED, message);
  }

  /** A transaction is decided; called once for each ticket, or again after an error. */
  void decided(long ticket, boolean committed);

  /**
   * Returns when a committed transaction is as safe as was promised. What it throws, such as an
   * error for want of stack, the caller of the commit gets: the transaction is committed all the
   * same ({@link Transaction#isCommitted}), but it is not known to be safe.
   */
  void await(long ticket);
}
