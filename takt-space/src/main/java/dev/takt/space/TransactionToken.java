package dev.takt.space;

/**
 * One run of a transaction, from its begin to its end, as other threads may see it: they can ask
 * whether it goes on, and end it.
 *
 * <p><b>Guarantees:</b> (1) Of {@link #end} and the commit at most one succeeds. (2) After {@code
 * end} what the transaction has claimed is everybody's again, and subscribers and threads that wait
 * for it are told, whatever its thread does; a passive task may be released for it some
 * milliseconds later. (3) A token of a run that is over never touches a later one, of the same
 * transaction object or of another.
 *
 * <p>The thread that runs the transaction learns it at its next operation or at its commit, by an
 * {@link Abort} with the reason {@link Abort.Reason#ENDED}; {@link EventSpace#transact} throws that
 * and does not try again. Until then the transaction object stays in use, and the room of what it
 * has written.
 *
 * <p><b>Thread rule:</b> any thread; immutable.
 *
 * <p><b>Memory:</b> 32 bytes. To end a transaction looks at each slot if there are subscriptions or
 * threads that wait.
 *
 * {@snippet :
 * transaction.begin();
 * running.put(user, transaction.token());
 * // and in another thread, when the user has gone
 * running.get(user).end();
 * }
 */
public final class TransactionToken {
  private final EventSpace space;
  private final int owner;
  private final long epoch;

  TransactionToken(EventSpace space, int owner, long epoch) {
    this.space = space;
    this.owner = owner;
    this.epoch = epoch;
  }

  /** Returns whether this run has neither committed nor been undone, given up or ended. */
  public boolean isRunning() {
    return space.descriptors.status(owner, epoch) == TransactionTable.ACTIVE;
  }

  /**
   * Ends this run, so that it cannot commit.
   *
   * @return true if it was this call that has ended it; false if the run was over
   */
  public boolean end() {
    boolean ended = space.descriptors.end(owner, epoch, TransactionTable.ENDED);
    if (ended && space.hasSubscriptions) {
      tell();
    }
    return ended;
  }

  /** Announces what was claimed: the owner may stand still and not get to do that. */
  private void tell() {
    EventSlots slots = space.slots;
    long claimed = EventSlots.owned(EventSlots.CLAIMED, owner, epoch);
    for (int slot = 0; slot < slots.count; slot++) {
      if (slots.stateAcquire(slot) == claimed) {
        space.reader.announce(slot, slots.genAcquire(slot), true);
      }
    }
  }
}
