package dev.takt.space;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a running transaction has done so far: the events that it has written, claimed and looked
 * at.
 *
 * <p><b>Errors:</b> a {@link StackOverflowError} can end any call, and an {@link OutOfMemoryError}
 * any allocation. So what belongs together (a slot leaves the free ones and enters the log) is done
 * by assignments alone, without a call in between, and the last call before them is the one that
 * has the effect. An operation that was cut off has not happened; what it has left behind is in the
 * log, or in {@link #claiming}, and is undone by the next operation or at the end.
 *
 * <p><b>Thread rule:</b> as {@link Transaction}.
 *
 * <p><b>Memory:</b> three logs that grow up to {@link SpaceSettings#maxOperations()} entries.
 */
abstract sealed class TransactionLog extends ConflictResolver permits CommitProtocol {
  private static final int INITIAL_LOG = 16;
  static final int NONE = -1;

  final EventSlots slots;
  final IndexTable table;
  final Finder finder;
  final EventSlots.LocalFreeList freeList;
  final DeferredRemovals gone;

  /** What was read and may not be true; it is copied to the caller's event once it is. */
  final Event spare = new Event();

  /** The slots written, in order; those that were taken back, or not filled yet, are negated. */
  int[] written = new int[INITIAL_LOG];

  long[] writtenGens = new long[INITIAL_LOG];
  long[] writtenStamps = new long[INITIAL_LOG];
  int writtenCount;

  /** That of the event written last: most transactions write events of one shape. */
  ShapeIndexes lastShapeIndexes = ShapeIndexes.NONE;

  /**
   * The fingerprint of the event written last in the first index of {@link #lastShapeIndexes}, if
   * any.
   */
  long lastFingerprint;

  /** The head of its list there. A value that is never used would not be read. */
  long lastHead;

  int[] taken = new int[INITIAL_LOG];
  int takenCount;

  /** By which handles it has taken, and how many events in a row by each. */
  private Handle[] takers = {};

  private int[] takenBy = {};
  private int takerCount;

  /** How many events it has taken by handles. */
  private int matches;

  /** The slot whose claim has begun and is not in the log yet, or -1. */
  int claiming = NONE;

  /** The first limit that an operation has exceeded. */
  private @Nullable Abort exceeded;

  /** Which aborts tell where they were thrown. */
  private Set<Abort.Reason> traced = Set.of();

  long[] guards = new long[INITIAL_LOG];
  int guardCount;
  long allocated;
  long freed;

  TransactionLog(EventSpace space, int owner, Object user, EventSlots.LocalFreeList freeList) {
    super(space, owner, user);
    this.slots = space.slots;
    this.table = space.table;
    this.finder = new Finder(space, owner);
    this.freeList = freeList;
    this.gone = freeList.gone(slots, table);
  }

  // ---- writing

  /** Copies an event into a slot of its own, which no other transaction sees. */
  void add(Event event) {
    if (!tryAdd(event)) {
      throw exceeded(space.full);
    }
  }

  /** As {@link #add}; false if the space is full. */
  boolean tryAdd(Event event) {
    if (writtenCount == written.length) {
      growWritten();
    }
    int slot = slots.next(freeList);
    if (slot < 0) {
      space.descriptors.reclaim(false);
      slot = slots.next(freeList);
      if (slot < 0) {
        return false;
      }
    }
    // no call until the slot is in the log: an error in between would lose it
    int entry = writtenCount;
    written[entry] = ~slot;
    freeList.first = slots.nextInChain[slot];
    freeList.firstCount--;
    writtenCount = entry + 1;
    allocated++;
    slots.returnRest(freeList);
    ShapeIndexes shapeIndexes = lastShapeIndexes;
    if (shapeIndexes.shape != event.shape || shapeIndexes.indexes != table.indexes) {
      shapeIndexes = table.shapeIndexes(event.shape);
      lastShapeIndexes = shapeIndexes;
    }
    lookAhead(shapeIndexes, event);
    slots.store(slot, event);
    written[entry] = slot;
    return true;
  }

  /**
   * Asks for the beginning of the list that the event will be appended to: it is seldom in the
   * nearest caches, and comes while the event is copied, where the commit would stand and wait.
   */
  private void lookAhead(ShapeIndexes shapeIndexes, Event event) {
    KeyMap first = shapeIndexes.first;
    if (first != null) {
      lastFingerprint = first.fingerprint(event.types, event.words, 0);
      lastHead = first.index.headOpaque(lastFingerprint);
    }
  }

  /**
   * Takes back an own write, which no other transaction sees; the log keeps it, negated, as a slot
   * to discard.
   */
  void takeOwn(int entry, Event into) {
    int slot = written[entry];
    slots.load(slot, ownShapeOf(slot), into);
    written[entry] = ~slot;
  }

  final void requireWritable(Event event) {
    EventParts.requireWritable(event, settings);
  }

  // ---- taking

  /**
   * Claims a slot that the finder has found and copies its event; false if another transaction has
   * claimed it first.
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
    long claimed = EventSlots.owned(EventSlots.CLAIMED, owner, epoch);
    claiming = slot;
    if (!OrderedAccess.compareAndSet(words, base + EventSlots.STATE, finder.foundState, claimed)) {
      claiming = NONE;
      return false;
    }
    checkPresenceGuards(slot, words[base + EventSlots.GEN]);
    slots.load(slot, shape, into);
    OrderedAccess.loadLoadFence();
    if (!isActive()) {
      into.clear(); // it may be torn
      throw lost();
    }
    taken[takenCount] = slot;
    takenCount++;
    claiming = NONE;
    return true;
  }

  /** Makes room for {@link #count}: nothing must fail once an event is taken. */
  void reserveTaker() {
    if (takerCount == takers.length) {
      Handle[] longer = Arrays.copyOf(takers, Math.max(4, 2 * takerCount));
      takenBy = Arrays.copyOf(takenBy, longer.length);
      takers = longer;
    }
  }

  /** Notes that an event was taken by a handle. */
  void count(Handle handle) {
    int last = takerCount - 1;
    if (last < 0 || takers[last] != handle) {
      last++;
      takers[last] = handle;
      takenBy[last] = 0;
      takerCount = last + 1;
    }
    takenBy[last]++;
    matches++;
  }

  /** Adds to the counters of the handles what was taken by them, after the commit. */
  void updateTakenCounts() {
    while (takerCount > 0) {
      int last = takerCount - 1;
      takerCount = last;
      takers[last].addTaken(takenBy[last]);
    }
  }

  void forgetRun() {
    takerCount = 0;
    matches = 0;
    exceeded = null;
  }

  /** Returns how many events the transaction has taken by handles since it was begun. */
  public int matches() {
    return matches;
  }

  /** Gives back what an operation has claimed that was cut off before it was done. */
  void unclaim() {
    if (claiming >= 0) {
      releaseClaim(claiming);
      claiming = NONE;
    }
  }

  /**
   * Makes a claimed event available again; does nothing if another transaction has claimed it
   * since.
   */
  void releaseClaim(int slot) {
    long claim = EventSlots.owned(EventSlots.CLAIMED, owner, epoch);
    slots.compareAndSetState(slot, claim, EventSlots.LIVE | slots.genAcquire(slot));
  }

  /**
   * Returns when a write alone of another transaction has decided, or ends it if it stands still:
   * its thread may have stopped for good.
   */
  void awaitDecision(int slot, long undecided) {
    long begunNs = SystemWaitClock.INSTANCE.nanoTime();
    for (long look = 0; look < settings.patience() && !isLongest(look, begunNs); look++) {
      if (slots.stateAcquire(slot) != undecided) {
        return;
      }
      requireActive();
      pause(look);
    }
    slots.compareAndSetState(slot, undecided, EventSlots.FREE);
  }

  // ---- looking

  void guard(long guard) {
    if (guardCount == guards.length) {
      guards = Arrays.copyOf(guards, grown(guardCount));
    }
    descriptors.count(owner, guards, guardCount, guard);
    guardCount++;
    descriptors.guard(owner, guardCount);
  }

  /**
   * Whether there is a match; copies the oldest one.
   *
   * @param strong whether finding none is a promise, too
   */
  boolean look(Event template, LookupPlan plan, @Nullable Event into, boolean strong) {
    long fingerprint = plan.fingerprint(template);
    boolean guarded = false;
    while (true) {
      int slot = finder.find(template, plan, fingerprint, null);
      if (slot >= 0) {
        if (keepPresent(slot, finder.foundState, into)) {
          requireActive();
          copySpare(into);
          return true;
        }
        continue;
      }
      int own = finder.findOwn(template, plan, null, written, writtenCount);
      if (own >= 0) {
        if (into != null) {
          slots.load(written[own], ownShapeOf(written[own]), into);
        }
        return true;
      }
      if (!strong) {
        return false;
      }
      if (single && finder.claimant >= 0) {
        if (isStillClaimed(into)) {
          copySpare(into);
          return true;
        }
      } else if (!resolvePending(plan)) {
        if (guarded || single) {
          requireActive();
          return false;
        }
        guard(TransactionTable.absence(plan.index, fingerprint));
        guarded = true;
      }
    }
  }

  boolean hasGuardLeft() {
    return guardCount < Math.max(guards.length, settings.maxOperations());
  }

  /** Takes down the guard that was put up last, because what it is for has gone. */
  void dropGuard() {
    descriptors.unguard(owner, guardCount - 1);
    descriptors.discount(owner, guards[guardCount - 1]);
    guardCount--;
  }

  /** Takes down all guards; begins where it was cut off. */
  void dropGuards() {
    if (guardCount > 0) {
      descriptors.unguard(owner, 0);
      while (guardCount > 0) {
        descriptors.discount(owner, guards[guardCount - 1]);
        guardCount--;
      }
    }
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
      guard(TransactionTable.presence(slot, slots.genAcquire(slot)));
    }
    Shape shape = into == null ? null : shapeOf(slot);
    if (into != null && shape != null) {
      slots.load(slot, shape, spare);
    }
    OrderedAccess.loadLoadFence();
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
    OrderedAccess.loadLoadFence();
    return descriptors.status(finder.claimant, finder.claimantEpoch) == TransactionTable.ACTIVE
        && slots.stateAcquire(slot) == finder.claimedState
        && (into == null || shape != null);
  }

  /** The shape of a slot's event, or null if the slot's content is torn. */
  @Nullable Shape shapeOf(int slot) {
    ShapeIndexes shapeIndexes =
        table.shapeIndexesOfStored(
            EventSlots.shapeId(slots.words[slots.base(slot) + EventSlots.META]), null);
    return shapeIndexes == null ? null : shapeIndexes.shape;
  }

  @SuppressWarnings("NullAway") // what this transaction has written itself is not torn
  Shape ownShapeOf(int slot) {
    return shapeOf(slot);
  }

  /**
   * After a search without result: settles the conflict with a running transaction that holds or
   * writes a match.
   *
   * @return whether there was one, so that the search must be repeated
   */
  boolean resolvePending(LookupPlan plan) {
    if (finder.claimant >= 0) {
      resolveConflict(finder.claimant, finder.claimantEpoch);
      return true;
    }
    if (finder.pendingCount > 0) {
      if (single && finder.notedAllPending()) {
        return !finder.pendingStillRun();
      }
      if (finder.pendingOwners[0] < 0) {
        awaitDecision(~finder.pendingOwners[0], finder.pendingEpochs[0]);
      } else {
        resolveConflict(finder.pendingOwners[0], finder.pendingEpochs[0]);
      }
      return true;
    }
    return false;
  }

  // ---- bounds

  /**
   * Returns the first abort by which an operation has said that the space is full or that there are
   * too many operations, or null; also if the body caught it, so that the caller can see that the
   * body was not done as a whole.
   */
  public @Nullable Abort exceeded() {
    return exceeded;
  }

  /**
   * Lets aborts for some reasons have a stack trace, in this run and later ones; they are made anew
   * then.
   *
   * @param reasons asked at each such abort; what it holds may change
   */
  public void traceAborts(Set<Abort.Reason> reasons) {
    traced = Objects.requireNonNull(reasons, "reasons");
  }

  private Abort exceeded(Abort limit) {
    Abort abort = traced(limit);
    if (exceeded == null) {
      exceeded = abort;
    }
    return abort;
  }

  Abort traced(Abort abort) {
    return traced.contains(abort.reason()) ? abort.traced() : abort;
  }

  /** Returns whether less than half of the operations are done that one transaction can do. */
  boolean hasRoom() {
    int half = (settings.maxOperations() - 1) / 2;
    return takenCount <= half && writtenCount <= half && guardCount <= half;
  }

  int grown(int count) {
    if (count >= settings.maxOperations()) {
      requireActive(); // what was counted may be untrue by now
      throw exceeded(space.tooManyOperations);
    }
    return Math.min(count * 2, settings.maxOperations());
  }

  private void growWritten() {
    int length = grown(writtenCount);
    int[] longer = Arrays.copyOf(written, length);
    writtenGens = Arrays.copyOf(writtenGens, length);
    writtenStamps = Arrays.copyOf(writtenStamps, length);
    written = longer;
  }
}
