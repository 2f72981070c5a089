package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The end of a transaction: it decides, tidies up or undoes, and notifies subscribers and waiters.
 *
 * <p>The decision is one compare-and-set. What follows is {@link #settle}: it goes by the logs and
 * notes how far it is in fields, so that after an error it is begun again where it was cut off, by
 * the next operation or by a transaction that needs what is left; nothing of it is needed by others
 * before, and the next epoch begins only after it.
 *
 * <p><b>Thread rule:</b> as {@link Transaction}.
 */
abstract sealed class CommitProtocol extends TransactionLog permits Transaction {
  private static final VarHandle PUBLISHING =
      OrderedAccess.field(
          MethodHandles.lookup(), CommitProtocol.class, "publishing", boolean.class);

  boolean running;

  /**
   * Whether it is the first attempt and there is no token of it, so that no other thread can have
   * ended it.
   */
  boolean fresh;

  /** Whether a write alone has decided on its slot; the status follows. */
  private boolean decidedAlone;

  /** Whether nothing is left to do of the last epoch. */
  boolean settled = true;

  /** Whether the writes are being published, or were when an error struck. */
  private boolean publishing;

  /** Whether the last call of commit was deferred, after the writes had been published. */
  boolean isCommitDeferred;

  /** How many entries of the log of takes, of that of writes, are done with. */
  private int takesDone;

  private int writesDone;

  /** Whether the listener to the commits was called. */
  private boolean reported;

  /** What the journal has been shown of this epoch, until it is told the outcome. */
  long ticket = CommitJournal.NONE;

  /** The journal that gave the ticket. */
  private @Nullable CommitJournal journal;

  /** What the journal is shown. */
  private @Nullable Commit delta;

  /** What the journal keeps beside events, for this commit. */
  @Nullable Object cargo;

  /** How many entries are announced. */
  private int announced;

  /** Whether entries are being announced: a subscriber may begin the next epoch. */
  private boolean announcing;

  CommitProtocol(EventSpace space, int owner, Object user, EventSlots.LocalFreeList freeList) {
    super(space, owner, user, freeList);
  }

  void start(long rank, int outer) {
    if (!settled) {
      settle(false);
    }
    long next = slots.nextEpoch(owner, epoch);
    this.outer = outer;
    finder.begin(next, outer);
    settled = false;
    epoch = next;
    TransactionTable.begin(statusWords, statusAt, next, rank);
    running = true;
  }

  /** Whether it commits or has tried to. */
  boolean isPublishing() {
    return (boolean) PUBLISHING.getAcquire(this);
  }

  /** Whether a listener or subscriber runs, on the thread that has committed. */
  boolean isCallingBack() {
    return announcing || reported;
  }

  // ---- the decision

  /**
   * The moment of the transaction: makes all it has done happen, or finds that another one has
   * aborted it.
   */
  boolean decide() {
    unclaim();
    if (writtenCount + takenCount + guardCount == 0
        && (cargo == null || space.commits().journal() == null)) {
      return endEmpty();
    }
    boolean isPublished = isCommitDeferred;
    isCommitDeferred = false;
    if (publishing && !isPublished) {
      // an error has ended a commit before: what it has published cannot be published again
      return false;
    }
    PUBLISHING.setRelease(this, true);
    try {
      CommitJournal by = space.commits().journal();
      if (isPublished) {
        return decideByStatus(true, by);
      }
      if (by == null && isLoneWrite()) {
        return decideAlone(written[0]);
      }
      boolean guarded = false;
      for (int i = 0; i < writtenCount; i++) {
        if (written[i] >= 0) {
          guarded |= publish(i, written[i], EventSlots.owned(EventSlots.PENDING, owner, epoch));
        }
      }
      return decideByStatus(guarded, by);
    } catch (ConflictDeferral.Deferred deferred) {
      isCommitDeferred = true;
      throw deferred;
    } catch (Abort lost) {
      if (lost.reason() == Abort.Reason.REFUSED) {
        throw lost;
      }
      return false;
    }
  }

  private boolean decideByStatus(boolean guarded, @Nullable CommitJournal by) {
    if (guarded) {
      for (int i = 0; i < writtenCount; i++) {
        if (written[i] >= 0) {
          checkAbsenceGuards(written[i]);
        }
      }
    }
    if (by != null) {
      prepare(by);
    }
    return OrderedAccess.compareAndSet(
        statusWords,
        statusAt,
        TransactionTable.status(epoch, TransactionTable.ACTIVE),
        TransactionTable.status(epoch, TransactionTable.COMMITTED));
  }

  /**
   * Shows the journal what is about to be decided, after all conflicts are resolved. What it throws
   * ends the commit undecided, and nothing is left with the journal then.
   */
  private void prepare(CommitJournal by) {
    Commit shown = delta;
    if (shown == null) {
      shown = new Commit(this, null);
      delta = shown;
    }
    shown.cargo = cargo;
    cargo = null;
    if (shown.measure() || shown.cargo != null) {
      journal = by;
      ticket = by.prepare(shown);
    }
    shown.cargo = null;
  }

  /** Tells the journal how a transaction ended that it was shown. */
  private void tellJournal(boolean committed) {
    CommitJournal by = journal;
    if (ticket != CommitJournal.NONE && by != null) {
      by.decided(ticket, committed);
      ticket = CommitJournal.NONE;
    }
  }

  /** Waits until what was committed is as safe as the space's journal has promised. */
  void awaitJournal(long ticket) {
    CommitJournal by = journal;
    if (by != null) {
      by.await(ticket);
    }
  }

  /**
   * Whether one event is written, nothing else was done, and no other thread has ended it: then
   * only a guard on its absence can be in conflict with it.
   */
  private boolean isLoneWrite() {
    return fresh && writtenCount == 1 && takenCount + guardCount == 0 && written[0] >= 0;
  }

  /**
   * Decides on the slot itself, or, if there may be a guard on the event's absence, as any other
   * transaction does.
   */
  private boolean decideAlone(int slot) {
    long gen = slots.genAcquire(slot);
    long live = EventSlots.alone(owner, gen);
    long undecided = live | EventSlots.UNDECIDED;
    if (publish(0, slot, undecided)) {
      return slots.compareAndSetState(
              slot, undecided, EventSlots.owned(EventSlots.PENDING, owner, epoch))
          && decideByStatus(true, null);
    }
    // no call after the compare-and-set: an error would have the decision forgotten
    boolean decided = isActive() && slots.compareAndSetState(slot, undecided, live);
    decidedAlone = decided;
    return decided;
  }

  /**
   * Nothing depends on the outcome of a transaction that has done nothing, but what a token
   * returns.
   */
  private boolean endEmpty() {
    if (!fresh) {
      return descriptors.end(owner, epoch, TransactionTable.COMMITTED);
    }
    boolean active = isActive();
    if (active) {
      OrderedAccess.setRelease(
          statusWords, statusAt, TransactionTable.status(epoch, TransactionTable.COMMITTED));
    }
    return active;
  }

  /**
   * Makes a write visible to others in a state in which it is not there yet.
   *
   * @return whether there may be a guard on its absence; a transaction that puts one up later sees
   *     the event
   */
  private boolean publish(int entry, int slot, long state) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    long gen = words[base + EventSlots.GEN];
    writtenGens[entry] = gen;
    writtenStamps[entry] = slots.stamp(slot, freeList);
    OrderedAccess.setRelease(words, base + EventSlots.STATE, state);
    boolean guarded = false;
    long linked = 0;
    ShapeIndexes shapeIndexes;
    do {
      shapeIndexes = shapeIndexes(EventSlots.shapeId(words[base + EventSlots.META]));
      boolean isLast = entry == writtenCount - 1 && shapeIndexes == lastShapeIndexes;
      for (KeyMap map = shapeIndexes.first; map != null; map = map.next) {
        Index index = map.index;
        if ((linked >>> index.id & 1) == 0) {
          linked |= 1L << index.id;
          OrderedAccess.setRelease(words, base + EventSlots.LINKED, linked);
          boolean isKnown = isLast && map == shapeIndexes.first;
          long fingerprint = isKnown ? lastFingerprint : fingerprint(map, words, base);
          index.append(slot, gen, fingerprint);
          guarded |= descriptors.maybeGuarded(TransactionTable.absence(index, fingerprint));
        }
      }
      if (linked == 0) {
        OrderedAccess.fullFence();
      }
    } while (table.indexes != shapeIndexes.indexes);
    return guarded;
  }

  /** Resolves conflicts with transactions that have a guard on the absence of a published event. */
  private void checkAbsenceGuards(int slot) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    ShapeIndexes shapeIndexes = shapeIndexes(EventSlots.shapeId(words[base + EventSlots.META]));
    for (KeyMap map = shapeIndexes.first; map != null; map = map.next) {
      checkAbsenceGuards(TransactionTable.absence(map.index, fingerprint(map, words, base)));
    }
  }

  /**
   * What an own write's shape means to the indexes; most transactions write events of one shape.
   */
  private ShapeIndexes shapeIndexes(int shapeId) {
    ShapeIndexes shapeIndexes = lastShapeIndexes;
    return shapeIndexes.shape.id == shapeId && shapeIndexes.indexes == table.indexes
        ? shapeIndexes
        : table.shapeIndexesNow(shapeId);
  }

  private static long fingerprint(KeyMap map, long[] words, int base) {
    return map.fingerprint(words[base + EventSlots.TYPES], words, base + EventSlots.HEADER);
  }

  // ---- what follows

  /**
   * Does what is left to do of this epoch.
   *
   * @param isKnown whether the caller knows that it is committed; otherwise the status is asked,
   *     and the epoch is aborted if it is not decided
   */
  void settle(boolean isKnown) {
    running = false;
    long of = epoch;
    boolean committed = isKnown || abortUndecided();
    tellJournal(committed);
    if (decidedAlone) {
      OrderedAccess.setRelease(
          statusWords, statusAt, TransactionTable.status(of, TransactionTable.COMMITTED));
      if (!space.hasSubscriptions && !space.commits().isHeard()) {
        // nothing was taken or guarded, and there is no subscriber
        forget();
        return;
      }
    }
    if (committed && !reported && writtenCount + takenCount > 0) {
      reported = true;
      space.commits().report(this);
    }
    if (committed) {
      tidy();
      updateTakenCounts();
    } else {
      undo();
    }
    dropGuards();
    if (space.hasSubscriptions) {
      announceAll(of, committed ? writtenCount : takenCount, committed);
    }
    if (epoch == of) {
      forget();
    }
  }

  /**
   * Returns whether the transaction that was begun last is committed. What {@code commit} may throw
   * after that moment undoes nothing.
   */
  public boolean isCommitted() {
    return decidedAlone || descriptors.status(owner, epoch) == TransactionTable.COMMITTED;
  }

  /** Aborts what is not decided; returns whether the epoch is committed. */
  private boolean abortUndecided() {
    if (!decidedAlone && descriptors.status(owner, epoch) == TransactionTable.ACTIVE) {
      descriptors.end(owner, epoch, TransactionTable.ABORTED);
    }
    return isCommitted();
  }

  /** Frees what was taken, and what was written and taken back. */
  private void tidy() {
    while (takesDone < takenCount) {
      retire(taken[takesDone]);
      takesDone++;
    }
    while (writesDone < writtenCount) {
      if (written[writesDone] < 0) {
        discard(~written[writesDone]);
      }
      writesDone++;
    }
  }

  /**
   * Frees what was taken: together with what is taken from the same list next, if others write
   * there; its own events at once, so that it goes on with slots that are at hand.
   */
  private void retire(int slot) {
    slots.stateRelease(slot, EventSlots.FREE);
    if (EventSlots.writer(finder.foundState) != owner
        && gone.defer(slot, finder.index, finder.bucket)) {
      freed++;
    } else {
      unlink(slot);
    }
  }

  /** Undoes everything; the status must be ABORTED already. */
  private void undo() {
    if (claiming >= 0) {
      taken[takenCount] = claiming;
      takenCount++;
      claiming = NONE;
    }
    while (takesDone < takenCount) {
      releaseClaim(taken[takesDone]);
      takesDone++;
    }
    while (writesDone < writtenCount) {
      int slot = written[writesDone];
      discard(slot < 0 ? ~slot : slot);
      writesDone++;
    }
  }

  /**
   * Takes a slot that is this transaction's alone out of all lists and frees it. May be done again
   * if it was cut off: to remove a slot that is in no list changes nothing, and the last step is
   * the one that gives the slot back.
   */
  private void discard(int slot) {
    slots.stateRelease(slot, EventSlots.FREE);
    unlink(slot);
  }

  private void unlink(int slot) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    long linked = OrderedAccess.getAcquire(words, base + EventSlots.LINKED);
    if (linked != 0) {
      Index[] indexes = table.indexes;
      long gen = words[base + EventSlots.GEN];
      do {
        indexes[Long.numberOfTrailingZeros(linked)].remove(slot, gen);
        linked &= linked - 1;
      } while (linked != 0);
      words[base + EventSlots.LINKED] = 0;
    }
    slots.free(slot, freeList);
    freed++;
  }

  /**
   * Announces the events that are there because of this transaction: those it has written, or given
   * back.
   */
  private void announceAll(long of, int count, boolean committed) {
    if (announcing) {
      // a subscriber to this entry has begun the next epoch at once
      announced++;
    }
    announcing = true;
    try {
      while (epoch == of && announced < count) {
        if (committed) {
          announce(written[announced], writtenGens[announced]);
        } else {
          announceGivenBack(taken[announced]);
        }
        if (epoch == of) {
          announced++;
        }
      }
    } finally {
      announcing = false;
    }
  }

  /** Notifies the subscriptions that match a committed write, unless the event has gone already. */
  private void announce(int slot, long gen) {
    if (slot >= 0) {
      finder.announce(slot, gen, false);
    }
  }

  /** Notifies the subscriptions that match what an undone claim has made available again. */
  private void announceGivenBack(int slot) {
    long state = slots.stateAcquire(slot);
    if ((state & EventSlots.KIND) == EventSlots.LIVE) {
      finder.announce(slot, state & EventSlots.GEN_MASK, true);
    }
  }

  private void forget() {
    writtenCount = 0;
    takenCount = 0;
    forgetRun();
    takesDone = 0;
    writesDone = 0;
    announced = 0;
    reported = false;
    PUBLISHING.setRelease(this, false);
    isCommitDeferred = false;
    decidedAlone = false;
    settled = true;
  }
}
