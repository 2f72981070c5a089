package dev.takt.space;

/**
 * How a transaction comes to its end: it decides, tidies up or undoes, and tells those who wait.
 *
 * <p>The decision is one compare-and-set. What follows is {@link #settle}: it goes by the logs and
 * notes how far it is in fields, so that after an error it is begun again where it was cut off, by
 * the next operation or by whoever needs what is left; nothing of it is needed by others before,
 * and the next epoch begins only after it.
 *
 * <p><b>Thread rule:</b> as {@link Transaction}.
 */
abstract sealed class Ending extends Delta permits Transaction {
  boolean running;

  /**
   * Whether it is the first attempt, so that nobody has ended this transaction's work before, and
   * nobody has a token of it.
   */
  boolean fresh;

  /** Whether a write alone has decided on its slot; the status follows. */
  private boolean decidedAlone;

  /** Whether nothing is left to do of the last epoch. */
  private boolean settled = true;

  /** Whether the writes are being published, or were when an error struck. */
  private boolean publishing;

  /** How many entries of the log of takes, of that of writes, are done with. */
  private int takesDone;

  private int writesDone;

  /** How many entries others have been told of. */
  private int told;

  /** Whether others are being told just now: what they are told by may begin the next epoch. */
  private boolean telling;

  Ending(EventSpace space, int owner, Object user, Slots.Keep keep) {
    super(space, owner, user, keep);
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
    Descriptors.begin(statusWords, statusAt, next, rank);
    running = true;
  }

  boolean isSettled() {
    return settled;
  }

  // ---- the decision

  /**
   * The moment of the transaction: makes all it has done happen, or finds that another one has
   * aborted it.
   */
  boolean decide() {
    unclaim();
    if (writtenCount + takenCount + guardCount == 0) {
      return endEmpty();
    }
    if (publishing) {
      // an error has ended a commit before: what it has published cannot be published again
      return false;
    }
    publishing = true;
    try {
      if (isLoneWrite()) {
        return decideAlone(written[0]);
      }
      boolean guarded = false;
      for (int i = 0; i < writtenCount; i++) {
        if (written[i] >= 0) {
          guarded |= publish(i, written[i], Slots.owned(Slots.PENDING, owner, epoch));
        }
      }
      return decideByStatus(guarded);
    } catch (Abort lost) {
      return false;
    }
  }

  private boolean decideByStatus(boolean guarded) {
    if (guarded) {
      for (int i = 0; i < writtenCount; i++) {
        if (written[i] >= 0) {
          respectAbsence(written[i]);
        }
      }
    }
    return Memory.compareAndSet(
        statusWords,
        statusAt,
        Descriptors.status(epoch, Descriptors.ACTIVE),
        Descriptors.status(epoch, Descriptors.COMMITTED));
  }

  /**
   * Whether one event is written, nothing else was done, and nobody has ended it before: then
   * nobody but a guard on its absence can be in conflict with it.
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
    long live = Slots.alone(owner, gen);
    long undecided = live | Slots.UNDECIDED;
    if (publish(0, slot, undecided)) {
      return slots.compareAndSetState(slot, undecided, Slots.owned(Slots.PENDING, owner, epoch))
          && decideByStatus(true);
    }
    // no call after the compare-and-set: an error would have the decision forgotten
    boolean decided = isActive() && slots.compareAndSetState(slot, undecided, live);
    decidedAlone = decided;
    return decided;
  }

  /**
   * Nothing depends on the outcome of a transaction that has done nothing, but what is said to one
   * who has a token.
   */
  private boolean endEmpty() {
    if (!fresh) {
      return descriptors.end(owner, epoch, Descriptors.COMMITTED);
    }
    boolean active = isActive();
    if (active) {
      Memory.setRelease(statusWords, statusAt, Descriptors.status(epoch, Descriptors.COMMITTED));
    }
    return active;
  }

  /**
   * Makes a write visible to others in a state in which it is not there yet.
   *
   * @return whether somebody may have a guard on its absence; who puts one up later sees the event
   */
  private boolean publish(int entry, int slot, long state) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    long gen = words[base + Slots.GEN];
    writtenGens[entry] = gen;
    slots.stamp(slot, keep);
    Memory.setRelease(words, base + Slots.STATE, state);
    boolean guarded = false;
    long linked = 0;
    Cover cover;
    do {
      cover = cover(Slots.shapeId(words[base + Slots.META]));
      boolean isLast = entry == writtenCount - 1 && cover == lastCover;
      for (KeyMap map = cover.first; map != null; map = map.next) {
        Index index = map.index;
        if ((linked >>> index.id & 1) == 0) {
          linked |= 1L << index.id;
          Memory.setRelease(words, base + Slots.LINKED, linked);
          boolean isKnown = isLast && map == cover.first;
          long fingerprint = isKnown ? lastFingerprint : fingerprint(map, words, base);
          index.append(slot, gen, fingerprint);
          guarded |= descriptors.maybeGuarded(Descriptors.absence(index, fingerprint));
        }
      }
      if (linked == 0) {
        Memory.fullFence();
      }
    } while (table.indexes() != cover.indexes);
    return guarded || table.mayScan() && descriptors.maybeGuarded(Descriptors.absence(null, 0));
  }

  /** Makes those give way who count on the absence of a published event. */
  private void respectAbsence(int slot) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    Cover cover = cover(Slots.shapeId(words[base + Slots.META]));
    for (KeyMap map = cover.first; map != null; map = map.next) {
      respectAbsence(Descriptors.absence(map.index, fingerprint(map, words, base)));
    }
    if (table.mayScan()) {
      respectAbsence(Descriptors.absence(null, 0));
    }
  }

  /**
   * What an own write's shape means to the indexes; most transactions write events of one shape.
   */
  private Cover cover(int shapeId) {
    Cover cover = lastCover;
    return cover.shape.id == shapeId && cover.indexes == table.indexes()
        ? cover
        : table.coverNow(shapeId);
  }

  private static long fingerprint(KeyMap map, long[] words, int base) {
    return map.fingerprint(words[base + Slots.TYPES], words, base + Slots.HEADER);
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
    if (decidedAlone) {
      Memory.setRelease(statusWords, statusAt, Descriptors.status(of, Descriptors.COMMITTED));
      if (!space.hasSubscriptions()) {
        // nothing was taken or guarded, and there is nobody to tell
        forget();
        return;
      }
    }
    if (committed) {
      tidy();
      tellTakers();
    } else {
      undo();
    }
    dropGuards();
    if (space.hasSubscriptions()) {
      tell(of, committed ? writtenCount : takenCount, committed);
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
    return decidedAlone || descriptors.status(owner, epoch) == Descriptors.COMMITTED;
  }

  /** Aborts what is not decided; returns whether the epoch is committed. */
  private boolean abortUndecided() {
    if (!decidedAlone && descriptors.status(owner, epoch) == Descriptors.ACTIVE) {
      descriptors.end(owner, epoch, Descriptors.ABORTED);
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
    slots.stateRelease(slot, Slots.FREE);
    if (Slots.writer(finder.foundState) != owner && gone.defer(slot, finder.index, finder.bucket)) {
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
      giveBack(taken[takesDone]);
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
    slots.stateRelease(slot, Slots.FREE);
    unlink(slot);
  }

  private void unlink(int slot) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    long linked = Memory.getAcquire(words, base + Slots.LINKED);
    if (linked != 0) {
      Index[] indexes = table.indexes();
      long gen = words[base + Slots.GEN];
      do {
        indexes[Long.numberOfTrailingZeros(linked)].remove(slot, gen);
        linked &= linked - 1;
      } while (linked != 0);
      words[base + Slots.LINKED] = 0;
    }
    slots.free(slot, keep);
    freed++;
  }

  /**
   * Tells others of the events that are there because of this transaction: those it has written, or
   * given back.
   */
  private void tell(long of, int count, boolean committed) {
    if (telling) {
      // who was told of this entry has begun the next epoch at once
      told++;
    }
    telling = true;
    try {
      while (epoch == of && told < count) {
        if (committed) {
          announce(written[told], writtenGens[told]);
        } else {
          announceGivenBack(taken[told]);
        }
        if (epoch == of) {
          told++;
        }
      }
    } finally {
      telling = false;
    }
  }

  /** Tells the subscriptions that match a committed write, unless the event has gone already. */
  private void announce(int slot, long gen) {
    if (slot >= 0) {
      finder.announce(slot, gen, false);
    }
  }

  /** Tells the subscriptions that match what an undone claim has made available again. */
  private void announceGivenBack(int slot) {
    long state = slots.stateAcquire(slot);
    if ((state & Slots.KIND) == Slots.LIVE) {
      finder.announce(slot, state & Slots.GEN_MASK, true);
    }
  }

  private void forget() {
    writtenCount = 0;
    takenCount = 0;
    forgetRun();
    takesDone = 0;
    writesDone = 0;
    told = 0;
    publishing = false;
    decidedAlone = false;
    settled = true;
  }
}
