package dev.takt.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a running transaction has done so far, and how it comes to an end: the events that it has
 * written, claimed and looked at.
 *
 * <p><b>Thread rule:</b> as {@link Transaction}.
 *
 * <p><b>Memory:</b> three logs that grow up to {@link SpaceSettings#maxOperations()} entries.
 */
abstract sealed class Delta extends Contender permits Transaction {
  private static final int INITIAL_LOG = 16;

  final EventSpace space;
  final Slots slots;
  final IndexTable table;
  final Finder finder;
  final Slots.Keep keep;

  /** Whether this is a direct operation: one step, which needs no guards. */
  boolean single;

  /** What was read and may not be true; it is copied to the caller's event once it is. */
  final Event spare = new Event();

  /** The slots written, in order; those that were taken back are negated. */
  int[] written = new int[INITIAL_LOG];

  long[] writtenGens = new long[INITIAL_LOG];
  int writtenCount;

  /** Set by the first write of all, and not asked for before it. */
  @SuppressWarnings("NullAway.Init")
  Cover lastCover;

  int[] taken = new int[INITIAL_LOG];
  int takenCount;
  long[] guards = new long[INITIAL_LOG];
  int guardCount;
  long allocated;
  long freed;

  Delta(EventSpace space, int owner) {
    super(space, owner);
    this.space = space;
    this.slots = space.slots();
    this.table = space.table();
    this.finder = new Finder(space, owner);
    this.keep = new Slots.Keep(owner < Slots.KEEPERS && slots.batch > 0);
  }

  /**
   * The moment of the transaction: makes all it has done happen, or finds that another one has
   * aborted it.
   */
  boolean decide() {
    if (writtenCount + takenCount + guardCount == 0) {
      return isActive();
    }
    try {
      for (int i = 0; i < writtenCount; i++) {
        if (written[i] >= 0) {
          publish(i, written[i]);
        }
      }
    } catch (Abort lost) {
      return false;
    }
    return Memory.compareAndSet(
        statusWords,
        statusAt,
        Descriptors.status(epoch, Descriptors.ACTIVE),
        Descriptors.status(epoch, Descriptors.COMMITTED));
  }

  /**
   * Returns whether the transaction that was begun last is committed. What {@code commit} may throw
   * after that moment undoes nothing.
   */
  public boolean isCommitted() {
    return descriptors.status(owner, epoch) == Descriptors.COMMITTED;
  }

  /** Returns whether less than half of the operations are done that one transaction can do. */
  boolean hasRoom() {
    int half = (settings.maxOperations() - 1) / 2;
    return takenCount <= half && writtenCount <= half && guardCount <= half;
  }

  /** Returns whether nothing has been taken yet that others had written. */
  boolean hasTakenNothing() {
    return takenCount == 0;
  }

  /**
   * Makes a write visible to others as pending: from now on it is there if, and only if, this
   * transaction commits.
   */
  void publish(int entry, int slot) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    long gen = words[base + Slots.GEN];
    writtenGens[entry] = gen;
    slots.stamp(slot);
    Memory.setRelease(words, base + Slots.STATE, Slots.owned(Slots.PENDING, owner, epoch));
    long linked = 0;
    Cover cover;
    do {
      cover = cover(Slots.shapeId(words[base + Slots.META]));
      for (Index index : cover.covering) {
        if ((linked >>> index.id & 1) == 0) {
          linked |= 1L << index.id;
          Memory.setRelease(words, base + Slots.LINKED, linked);
          link(index, cover, slot, gen, words, base);
        }
      }
      if (linked == 0) {
        Memory.fullFence();
      }
    } while (table.indexes() != cover.indexes);
    if (table.mayScan()) {
      respectAbsence(Descriptors.absence(null, 0));
    }
  }

  /**
   * What an own write's shape means to the indexes; most transactions write events of one shape.
   */
  Cover cover(int shapeId) {
    Cover cover = lastCover;
    return cover.shape.id == shapeId && cover.indexes == table.indexes()
        ? cover
        : table.coverNow(shapeId);
  }

  @SuppressWarnings("NullAway") // the index is one of those that cover the shape
  void link(Index index, Cover cover, int slot, long gen, long[] words, int base) {
    long fingerprint =
        cover.map(index).fingerprint(index, words[base + Slots.TYPES], words, base + Slots.HEADER);
    index.append(slot, gen, fingerprint);
    respectAbsence(Descriptors.absence(index, fingerprint));
  }

  /** Undoes everything; the status must be ABORTED already. */
  void undo() {
    long claim = Slots.owned(Slots.CLAIMED, owner, epoch);
    for (int i = 0; i < takenCount; i++) {
      int slot = taken[i];
      slots.compareAndSetState(slot, claim, Slots.LIVE | slots.genAcquire(slot));
    }
    for (int i = 0; i < writtenCount; i++) {
      discard(written[i] < 0 ? ~written[i] : written[i]);
    }
    dropGuards();
    if (takenCount > 0 && space.hasSubscriptions()) {
      announceGivenBack();
    }
  }

  /** Takes a slot that is this transaction's alone out of all lists and frees it. */
  void discard(int slot) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    Memory.setRelease(words, base + Slots.STATE, Slots.FREE);
    long linked = Memory.getAcquire(words, base + Slots.LINKED);
    if (linked != 0) {
      Index[] indexes = table.indexes();
      long gen = words[base + Slots.GEN];
      do {
        indexes[Long.numberOfTrailingZeros(linked)].remove(slot, gen);
        linked &= linked - 1;
      } while (linked != 0);
    }
    slots.free(slot, keep);
    freed++;
  }

  void dropGuards() {
    if (guardCount > 0) {
      descriptors.unguard(owner, guards, guardCount);
      guardCount = 0;
    }
  }

  /** Tells the subscriptions that match a committed write, unless the event has gone already. */
  void announce(int slot, long gen) {
    if (slot >= 0) {
      finder.announce(slot, gen, false);
    }
  }

  /** Tells the subscriptions that match what an undone claim has made available again. */
  void announceGivenBack() {
    for (int i = 0; i < takenCount; i++) {
      long state = slots.stateAcquire(taken[i]);
      if ((state & Slots.KIND) == Slots.LIVE) {
        finder.announce(taken[i], state & Slots.GEN_MASK, true);
      }
    }
  }

  /**
   * Claims a slot that the finder has found and copies its event; false if somebody was quicker.
   */
  boolean claim(int slot, Event into) {
    if (takenCount == taken.length) {
      taken = Arrays.copyOf(taken, grown(takenCount));
    }
    // read before the claim: nothing that comes after a compare-and-set begins before it, and
    // fields are read anew
    final long[] words = slots.words;
    Shape shape = finder.foundShape;
    int base = slots.base(slot);
    long claimed = Slots.owned(Slots.CLAIMED, owner, epoch);
    if (!Memory.compareAndSet(words, base + Slots.STATE, finder.foundState, claimed)) {
      return false;
    }
    taken[takenCount++] = slot;
    respectPresence(slot, words[base + Slots.GEN]);
    slots.load(slot, shape, spare);
    Memory.loadLoadFence();
    requireActive();
    into.load(spare);
    return true;
  }

  /**
   * Takes back an own write: nobody else has seen it or will; the log keeps it, negated, as a slot
   * to discard.
   */
  void takeOwn(int entry, Event into) {
    int slot = written[entry];
    slots.load(slot, ownShapeOf(slot), into);
    written[entry] = ~slot;
  }

  void copySpare(@Nullable Event into) {
    if (into != null) {
      into.load(spare);
    }
  }

  /**
   * Guards a found event and reads it into the spare; false if it has changed before the guard was
   * up.
   */
  boolean keepPresent(int slot, long state, @Nullable Event into) {
    if (!single) {
      guard(Descriptors.presence(slot, slots.genAcquire(slot)));
    }
    Shape shape = into == null ? null : shapeOf(slot);
    if (into != null && shape != null) {
      slots.load(slot, shape, spare);
    }
    Memory.loadLoadFence();
    return slots.stateAcquire(slot) == state && (into == null || shape != null);
  }

  /**
   * Whether an event that a running transaction has claimed is still only claimed: for a direct
   * look it is there.
   */
  boolean isStillClaimed(@Nullable Event into) {
    int slot = finder.claimedSlot;
    Shape shape = into == null ? null : shapeOf(slot);
    if (into != null && shape != null) {
      slots.load(slot, shape, spare);
    }
    Memory.loadLoadFence();
    return descriptors.status(finder.claimant, finder.claimantEpoch) == Descriptors.ACTIVE
        && slots.stateAcquire(slot) == finder.claimedState
        && (into == null || shape != null);
  }

  /** The shape of a slot's event, or null if the slot's content is torn. */
  @Nullable Shape shapeOf(int slot) {
    Cover cover =
        table.coverOfStored(Slots.shapeId(slots.words[slots.base(slot) + Slots.META]), null);
    return cover == null ? null : cover.shape;
  }

  @SuppressWarnings("NullAway") // what this transaction has written itself is not torn
  Shape ownShapeOf(int slot) {
    return shapeOf(slot);
  }

  void guard(long guard) {
    if (guardCount == guards.length) {
      guards = Arrays.copyOf(guards, grown(guardCount));
    }
    descriptors.guard(owner, guards, guardCount++, guard);
  }

  long[] guards() {
    return guards;
  }

  int grown(int count) {
    if (count >= settings.maxOperations()) {
      throw space.tooManyOperations();
    }
    return Math.min(count * 2, settings.maxOperations());
  }

  void growWritten() {
    int length = grown(writtenCount);
    written = Arrays.copyOf(written, length);
    writtenGens = Arrays.copyOf(writtenGens, length);
  }
}
