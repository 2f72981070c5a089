package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * Looks for the oldest event that matches a template, as one transaction sees the space, or as an
 * onlooker does.
 *
 * <p>A slot's event is, for the seeker: <em>there</em> (its write is committed, and it is not
 * taken), <em>claimed</em> or <em>pending</em> (running transactions other than the seeker's take
 * or write it; these are its rivals), or gone. What the seeker's own transaction has written is in
 * no list before its commit; {@link #findOwn} looks through its log.
 *
 * <p><b>Thread rule:</b> confined to the thread of its transaction; an onlooker's may be shared.
 */
final class Finder {
  /**
   * The seeker that is no transaction: it keeps no notes, so any number of threads may share it.
   */
  static final int NO_TRANSACTION = -1;

  private static final int MAX_PENDING = 4;
  private static final int RESTART = -2;

  /**
   * After so many events that are gone a handle keeps the place where they end. Not after each:
   * writers read the handle, too.
   */
  private static final int WORTH_TELLING = 8;

  private final EventSlots slots;
  private final IndexTable table;
  private final TransactionTable descriptors;
  final CallbackErrors callbackErrors;
  private final Waiters waiters;
  private final int self;

  /**
   * The transaction within which the seeker's operation is nested; its claims and writes are no
   * rivals. -1: none.
   */
  private int outer = -1;

  private long epoch;

  /** The state word of the slot found: what a claim must replace. */
  long foundState;

  /** The shape of the event that was matched last: of the slot found, if one was. */
  @SuppressWarnings("NullAway.Init")
  Shape foundShape;

  /**
   * A link to an event that is gone, as are all before it in the list of this index that have this
   * fingerprint; 0: none.
   */
  private long place;

  /** The index by which was looked last. */
  @Nullable Index index;

  /** In which of its lists. */
  int bucket;

  private @Nullable Index placeIndex;
  private long placeFingerprint;

  /** The first running transaction that has claimed a match, or -1. */
  int claimant;

  long claimantEpoch;

  /** A slot that a rival has claimed, and its state word. */
  int claimedSlot;

  long claimedState;

  /**
   * How many other running transactions were writing matches, each counted once as far as there is
   * room to note it.
   */
  int pendingCount;

  /** Their owners; for a write that is its own decision its slot, negated, and its state. */
  final int[] pendingOwners = new int[MAX_PENDING];

  final long[] pendingEpochs = new long[MAX_PENDING];

  Finder(EventSpace space, int self) {
    this.slots = space.slots;
    this.table = space.table;
    this.descriptors = space.descriptors;
    this.waiters = space.waiters;
    this.callbackErrors = space.callbackErrors;
    this.self = self;
  }

  void begin(long epoch, int outer) {
    this.epoch = epoch;
    this.outer = outer;
  }

  /**
   * Returns the slot of the oldest match that is there, or -1; the fields say what else was met.
   */
  int find(@Nullable Event template, LookupPlan plan, long fingerprint, @Nullable Handle handle) {
    while (true) {
      if (self != NO_TRANSACTION) {
        claimant = -1;
        pendingCount = 0;
      }
      int slot = lookUp(template, plan, fingerprint, handle);
      if (slot != RESTART && (slot < 0 || pendingCount == 0 || !passedOverCommitted())) {
        return slot;
      }
    }
  }

  /**
   * Whether a transaction has ended whose older matches were passed over because it was running
   * then. If it committed in between, what was found may be its own next event, and taking that
   * first would change the order of writing.
   */
  private boolean passedOverCommitted() {
    if (self == NO_TRANSACTION) {
      return false;
    }
    for (int i = Math.min(pendingCount, MAX_PENDING) - 1; i >= 0; i--) {
      if (!isStillPending(i)) {
        return true;
      }
    }
    return false;
  }

  private int lookUp(
      @Nullable Event template, LookupPlan plan, long fingerprint, @Nullable Handle handle) {
    Index index = plan.index;
    IndexBackfill backfill = index.backfill();
    if (backfill != IndexBackfill.NONE) {
      int slot = inBackfill(template, plan, fingerprint, handle, backfill);
      if (slot >= 0) {
        return slot;
      }
    }
    if (self != NO_TRANSACTION) {
      if (this.index != index) {
        this.index = index;
      }
      bucket = index.bucket(fingerprint);
    }
    long link = start(index, fingerprint, handle);
    long gone = 0;
    int passed = 0;
    boolean allGone = true;
    while (!Index.isEnd(link)) {
      int slot = Index.slot(link);
      boolean isGone = false;
      if (index.mayHave(link, fingerprint)) {
        if (meets(slot, Index.gen(link), template, plan, handle)) {
          keepPlace(index, fingerprint, handle, gone, passed);
          return slot;
        }
        allGone = allGone && slots.stateAcquire(slot) == EventSlots.FREE;
        isGone = allGone;
      }
      long next = index.nextAcquire(slot);
      if (index.isStale(link)) {
        return RESTART;
      }
      if (isGone) {
        gone = link;
        passed++;
      }
      link = next;
    }
    keepPlace(index, fingerprint, handle, gone, passed);
    return -1;
  }

  /**
   * Where a walk begins: after the last event that was known to be gone, with all before it that
   * have this fingerprint, if that is still in the list; else at the head.
   */
  private long start(Index index, long fingerprint, @Nullable Handle handle) {
    long gone = 0;
    if (index == placeIndex && fingerprint == placeFingerprint) {
      gone = place;
    } else if (handle != null) {
      gone = handle.place;
    }
    if (gone != 0) {
      long next = index.nextAcquire(Index.slot(gone));
      if (!Index.isMarked(next) && !index.isStale(gone)) {
        return next;
      }
    }
    return index.headAcquire(index.bucket(fingerprint));
  }

  private void keepPlace(
      Index index, long fingerprint, @Nullable Handle handle, long gone, int passed) {
    if (passed == 0) {
      return;
    }
    if (self != NO_TRANSACTION) {
      placeIndex = index;
      placeFingerprint = fingerprint;
      place = gone;
    }
    if (handle != null && passed >= WORTH_TELLING) {
      handle.place = gone;
    }
  }

  private int inBackfill(
      @Nullable Event template,
      LookupPlan plan,
      long fingerprint,
      @Nullable Handle handle,
      IndexBackfill backfill) {
    Index index = plan.index;
    long range = backfill.range(fingerprint);
    int end = IndexBackfill.end(range);
    boolean allGone = true;
    for (int entry = IndexBackfill.first(range); entry < end; entry++) {
      if (backfill.fingerprint(entry) != fingerprint) {
        allGone = false;
        continue;
      }
      long link = backfill.link(entry);
      int slot = Index.slot(link);
      if (slots.genAcquire(slot) == Index.gen(link)) {
        allGone = false;
        boolean listed = (slots.linkedAcquire(slot) >>> index.id & 1) != 0;
        if (!listed && meets(slot, Index.gen(link), template, plan, handle)) {
          return slot;
        }
      } else if (allGone) {
        backfill.advance(fingerprint, entry + 1, end);
      }
    }
    return -1;
  }

  /**
   * Returns the place in a transaction's log of its oldest own write that matches, or -1. O(own
   * writes).
   *
   * @param written the slots; those that the transaction has taken back are negated
   */
  int findOwn(
      @Nullable Event template,
      LookupPlan plan,
      @Nullable Handle handle,
      int[] written,
      int count) {
    for (int i = 0; i < count; i++) {
      if (written[i] >= 0
          && matches(written[i], slots.genAcquire(written[i]), template, plan, handle)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether the slot's event of this generation matches and is there; notes a rival that has a
   * match.
   *
   * <p>The generation is looked at last: if it is the same, the state and all that was read in
   * between were this event's. Otherwise that event has gone, and the slot's next one has a place
   * of its own.
   */
  boolean meets(
      int slot, long gen, @Nullable Event template, LookupPlan plan, @Nullable Handle handle) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    while (true) {
      long state = OrderedAccess.getAcquire(words, base + EventSlots.STATE);
      if (state == EventSlots.FREE
          || !matches(slot, gen, template, plan, handle)
          || !EventSlots.isStill(words, base, gen)) {
        return false;
      }
      long kind = state & EventSlots.KIND;
      if (kind == EventSlots.LIVE) {
        if (EventSlots.isUndecided(state)) {
          noteUndecided(slot, state);
          return false;
        }
        found(state);
        return true;
      }
      int owner = EventSlots.owner(state);
      long ownerEpoch = EventSlots.epoch(state);
      if (owner == self && ownerEpoch == epoch) {
        return false;
      }
      int status = descriptors.status(owner, ownerEpoch);
      if (status == TransactionTable.ACTIVE) {
        if (descriptors.endAbandoned(owner, ownerEpoch)) {
          continue;
        }
        note(slot, state, kind, owner, ownerEpoch);
        return false;
      }
      if (status != TransactionTable.PAST || kind == EventSlots.PENDING) {
        found(state);
        return (status >= TransactionTable.ABORTED) == (kind == EventSlots.CLAIMED);
      }
      // a claim of a past epoch: its owner has settled the slot since, so the state is another one
      // now
      if (slots.stateAcquire(slot) == state) {
        throw new IllegalStateException("slot " + slot + " is claimed by a past transaction");
      }
    }
  }

  private void found(long state) {
    if (self != NO_TRANSACTION) {
      foundState = state;
    }
  }

  private void note(int slot, long state, long kind, int owner, long ownerEpoch) {
    if (self == NO_TRANSACTION || owner == outer) {
      return;
    }
    if (kind == EventSlots.CLAIMED) {
      if (claimant < 0) {
        claimant = owner;
        claimantEpoch = ownerEpoch;
        claimedSlot = slot;
        claimedState = state;
      }
    } else {
      notePending(owner, ownerEpoch);
    }
  }

  /** Notes a write that is its own decision: by its slot, negated, and its state. */
  private void noteUndecided(int slot, long state) {
    if (self != NO_TRANSACTION) {
      notePending(~slot, state);
    }
  }

  private void notePending(int owner, long ownerEpoch) {
    int noted = Math.min(pendingCount, MAX_PENDING);
    for (int i = 0; i < noted; i++) {
      if (pendingOwners[i] == owner && pendingEpochs[i] == ownerEpoch) {
        return;
      }
    }
    if (noted < MAX_PENDING) {
      pendingOwners[noted] = owner;
      pendingEpochs[noted] = ownerEpoch;
    }
    pendingCount++;
  }

  /** Whether there was room to note all transactions that were writing a match. */
  boolean notedAllPending() {
    return pendingCount <= MAX_PENDING;
  }

  /**
   * Whether all transactions that were writing a match still run, so that their events are still
   * not there.
   */
  boolean pendingStillRun() {
    for (int i = 0; i < pendingCount; i++) {
      if (!isStillPending(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isStillPending(int note) {
    int owner = pendingOwners[note];
    return owner < 0
        ? slots.stateAcquire(~owner) == pendingEpochs[note]
        : descriptors.status(owner, pendingEpochs[note]) == TransactionTable.ACTIVE;
  }

  /** Whether a slot holds the event of a generation, for a caller that is in no transaction. */
  boolean isThere(int slot, long gen) {
    while (true) {
      long state = slots.stateAcquire(slot);
      if (state == EventSlots.FREE || slots.genAcquire(slot) != gen) {
        return false;
      }
      long kind = state & EventSlots.KIND;
      if (kind == EventSlots.LIVE) {
        return !EventSlots.isUndecided(state);
      }
      int status = descriptors.status(EventSlots.owner(state), EventSlots.epoch(state));
      if (kind == EventSlots.PENDING) {
        return status == TransactionTable.COMMITTED || status == TransactionTable.PAST;
      }
      // a claim of a past epoch was settled before, so the state is another one now
      if (status != TransactionTable.PAST) {
        return status != TransactionTable.COMMITTED;
      }
    }
  }

  // ---- telling subscriptions

  /**
   * Notifies the subscriptions that match a slot's event of a generation, unless it has gone. It
   * goes by the indexes that there are now: one that was made since the event was written has its
   * subscriptions, too.
   */
  void announce(int slot, long gen, boolean isGivenBack) {
    if (Thread.currentThread() instanceof NotifyingThread thread) {
      Object before = thread.beginNotifying();
      try {
        tell(slot, gen, isGivenBack);
      } finally {
        thread.endNotifying(before);
      }
    } else {
      tell(slot, gen, isGivenBack);
    }
  }

  private void tell(int slot, long gen, boolean isGivenBack) {
    long[] words = slots.words;
    int base = slots.base(slot);
    boolean anyWaits = waiters.any();
    ShapeIndexes indexes = table.shapeIndexesNow(EventSlots.shapeId(words[base + EventSlots.META]));
    for (KeyMap map = indexes.first; map != null; map = map.next) {
      Index index = map.index;
      if (anyWaits || index.notified.any()) {
        long fingerprint =
            map.fingerprint(words[base + EventSlots.TYPES], words, base + EventSlots.HEADER);
        if (!EventSlots.isStill(words, base, gen)) {
          return;
        }
        index.notified.announce(fingerprint, this, slot, gen, isGivenBack);
        if (anyWaits) {
          waiters.announce(fingerprint, this, slot, gen);
        }
      }
    }
  }

  /**
   * Whether a slot's event of a generation is what a subscription asks for, conditions included.
   */
  boolean suits(Handle handle, int slot, long gen) {
    return matches(slot, gen, handle.template, handle.plan, handle)
        && EventSlots.isStill(slots.words, slots.base(slot), gen);
  }

  /** Whether a slot's event of a generation matches a template. */
  boolean suits(Event template, LookupPlan plan, int slot, long gen) {
    return matches(slot, gen, template, plan, null)
        && EventSlots.isStill(slots.words, slots.base(slot), gen);
  }

  // ---- matching

  @SuppressWarnings("NullAway") // only a compact handle comes without a template
  private boolean matches(
      int slot, long gen, @Nullable Event template, LookupPlan plan, @Nullable Handle handle) {
    final long[] words = slots.words;
    int base = slots.base(slot);
    long meta = words[base + EventSlots.META];
    KeyMap map = plan.recent;
    int shapeId = EventSlots.shapeId(meta);
    if (map == null || map.shape.id != shapeId) {
      map = mapSlowPath(shapeId, plan);
      if (map == null) {
        return false;
      }
    }
    remember(map.shape);
    long theirs = map.ordinals;
    if (handle != null && handle.isCompact) {
      return handle.holds(slots, slot, base, theirs);
    }
    long mine = plan.keys.ordinals;
    for (int i = plan.index.concrete; i > 0; i--) {
      if (!sameValue(
          template, (int) mine & 0xF, words, base, slot, map.shape, (int) theirs & 0xF)) {
        return false;
      }
      mine >>>= 4;
      theirs >>>= 4;
    }
    return !template.hasConditions() || meetsConditions(slot, gen, base, map.shape, template);
  }

  /**
   * Returns where a stored event has the keys of the plan's index; null if it lacks one, or its
   * slot is torn.
   */
  private @Nullable KeyMap mapSlowPath(int shapeId, LookupPlan plan) {
    ShapeIndexes shapeIndexes = table.shapeIndexesOfStored(shapeId, plan.index);
    KeyMap map = shapeIndexes == null ? null : shapeIndexes.map(plan.index);
    if (map != null) {
      plan.recent = map;
    }
    return map;
  }

  private void remember(Shape shape) {
    if (self != NO_TRANSACTION && foundShape != shape) {
      // a collector's barrier costs more than the comparison
      foundShape = shape;
    }
  }

  private boolean sameValue(
      Event template, int mine, long[] words, int base, int slot, Shape shape, int theirs) {
    int type = Types.at(template.types, mine);
    if (type != Types.at(words[base + EventSlots.TYPES], theirs)) {
      return false;
    }
    long word = template.words[mine];
    long other = words[base + EventSlots.HEADER + theirs];
    if (Types.isScalar(type)) {
      return word == other;
    }
    if ((int) word != (int) other) {
      return false;
    }
    return type == Types.STRING
        ? slots.holds(slot, base, theirs, type, word, template.refs[(int) (word >>> 32)])
        : Values.sameContent(
            type,
            template.extra,
            0,
            template.refs,
            0,
            word,
            words,
            base + EventSlots.HEADER + shape.keys.length,
            slots.refs,
            slot * slots.refStride,
            other);
  }

  /** A predicate is the program's: it is given no value that was not the event's. */
  private boolean meetsConditions(int slot, long gen, int base, Shape shape, Event template) {
    long[] words = slots.words;
    for (int i = 0; i < template.shape.keys.length; i++) {
      if (template.condition(i) == null) {
        continue;
      }
      int ordinal = shape.ordinal(template.shape.keys[i]);
      if (ordinal < 0) {
        return false;
      }
      int type = Types.at(words[base + EventSlots.TYPES], ordinal);
      long word = words[base + EventSlots.HEADER + ordinal];
      Object string = type == Types.STRING ? slots.reference(slot, word) : null;
      if (!EventSlots.isStill(words, base, gen)
          || !template.accepts(i, type, word, (String) string)) {
        return false;
      }
    }
    return true;
  }
}
