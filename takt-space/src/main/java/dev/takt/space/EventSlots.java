package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * The storage of a space: equal slots in one array of words and one of references, and the lists of
 * the free ones.
 *
 * <pre>
 * words of a slot                                        references of a slot
 * +-------+-----+------+-------+-------+--------+------+----------+-------+   +---------+
 * | state | gen | meta | types | stamp | linked | keys | (arrays, records) |   | strings |
 * +-------+-----+------+-------+-------+--------+------+-------------------+   +---------+
 *
 * state  kind:2 | owner:14 | epoch:48   (PENDING, CLAIMED: the transaction that writes or takes the event)
 *        kind:2 | 0        | gen:36     (LIVE: committed, and given back by an aborted claim)
 *        kind:2 | 0:3 | writer+1:14 | 0:8 | gen:36   (LIVE: written by a transaction that did nothing else)
 *        kind:2 | 4:3 | writer+1:14 | 0:8 | gen:36   (UNDECIDED: it is about to decide here)
 *        0                              (FREE, or gone, or written and taken by the same running transaction)
 * gen    counts the reuses of the slot; a link to a slot carries it, and is stale when the two differ
 * meta   shape:16 | words of keys:8 | further words:16 | references:8
 * stamp  the order of committing
 * linked one bit for each index in whose lists the slot is
 * </pre>
 *
 * <p><b>Reading without a claim:</b> content is written before the state is released, and the
 * generation is advanced before a slot is filled again. A reader that finds state and generation
 * unchanged after its plain reads has read one event, whole.
 *
 * <p><b>Free slots:</b> chains of slots on a stack (one compare-and-set to push or pop a chain; a
 * tag keeps a stale pop from succeeding); the first transactions of a space keep up to two chains
 * to themselves, and as many as another one that are gone and not freed yet, see {@link
 * DeferredRemovals}. The array has that many slots more than the capacity, so that a space holds
 * its capacity whoever keeps what.
 */
final class EventSlots {
  static final int STATE = 0;
  static final int GEN = 1;
  static final int META = 2;
  static final int TYPES = 3;
  static final int STAMP = 4;
  static final int LINKED = 5;
  static final int HEADER = 6;

  static final long KIND = 3L << 62;
  static final long FREE = 0;
  static final long LIVE = 1L << 62;
  static final long PENDING = 2L << 62;
  static final long CLAIMED = 3L << 62;

  /** A LIVE event that is not there yet: its writer has not decided. */
  static final long UNDECIDED = LIVE | 1L << 61;

  static final int OWNER_SHIFT = 48;
  static final long EPOCH_MASK = (1L << OWNER_SHIFT) - 1;
  private static final int OWNER_MASK = (1 << 14) - 1;
  private static final int WRITER_SHIFT = 44;
  static final int GEN_BITS = 36;
  static final long GEN_MASK = (1L << GEN_BITS) - 1;

  /**
   * So many epochs after it was written, an event's state no longer tells the owner, unless its
   * writer has {@linkplain #settle settled} it meanwhile.
   */
  private static final long EPOCHS_TO_SETTLE = 1L << 47;

  /** How many transactions keep free slots to themselves; the others return each at once. */
  static final int KEEPERS = 16;

  private static final int WORDS_PER_LINE = 8;

  /** How many stamps a thread that writes alone draws at once. */
  private static final int STAMPS = 16;

  /** The top of the free chains: a tag of 37 bits, and a chain as a slot plus one. */
  private static final int TAG_SHIFT = 27;

  private static final long CHAIN = (1L << TAG_SHIFT) - 1;

  /**
   * An array's header takes 16 bytes; six words more, and a slot begins with a cache line (if the
   * array does).
   */
  static final int TO_LINE = 6;

  final int capacity;
  final int count;
  final int batch;
  final int stride;
  final int refStride;
  final long[] words;
  final Object[] refs;

  /**
   * The free chain after this slot's own chain, and the next slot of the same chain; both plus one,
   * 0 for none.
   */
  private final int[] nextChain;

  final int[] nextInChain;
  final long[] top = new long[2 * WORDS_PER_LINE];
  private final long[] clock = new long[2 * WORDS_PER_LINE];

  final InitialCounters start;

  EventSlots(SpaceSettings settings, InitialCounters start) {
    this.start = start;
    capacity = settings.capacity();
    batch = batch(settings);
    count = count(settings);
    stride = stride(settings);
    refStride = settings.maxReferences();
    requireArray("capacity*maxEventBytes", TO_LINE + (long) count * stride);
    requireArray("capacity*maxReferences", (long) count * refStride);
    words = new long[TO_LINE + count * stride];
    refs = new Object[count * refStride];
    nextChain = new int[count];
    nextInChain = new int[count];
    chainAll();
    clock[WORDS_PER_LINE] = start.stamp();
    for (int slot = 0; slot < count; slot++) {
      words[base(slot) + GEN] = start.generation() & GEN_MASK;
    }
  }

  private static int batch(SpaceSettings settings) {
    return Math.min(32, settings.capacity() / 128);
  }

  static int count(SpaceSettings settings) {
    return settings.capacity()
        + Math.min(KEEPERS, settings.maxTransactions()) * 3 * batch(settings);
  }

  private static int stride(SpaceSettings settings) {
    int used = HEADER + (settings.maxEventBytes() + 7) / 8;
    return (used + WORDS_PER_LINE - 1) / WORDS_PER_LINE * WORDS_PER_LINE;
  }

  /** Returns how much of the heap slots take, with references of four bytes. */
  static long heapBytes(SpaceSettings settings) {
    long each =
        (long) stride(settings) * Long.BYTES
            + (long) settings.maxReferences() * Integer.BYTES
            + 2 * Integer.BYTES;
    return count(settings) * each;
  }

  static void requireArray(String what, long length) {
    if (length > Integer.MAX_VALUE - 16) {
      throw new IllegalArgumentException(
          what + " needs " + length + " array elements (limit: 2147483631); lower one of the two");
    }
  }

  private void chainAll() {
    int length = Math.max(1, batch);
    int above = 0;
    for (int first = (count - 1) / length * length; first >= 0; first -= length) {
      int last = Math.min(first + length, count) - 1;
      for (int slot = first; slot < last; slot++) {
        nextInChain[slot] = slot + 2;
      }
      nextChain[first] = above;
      above = first + 1;
    }
    top[WORDS_PER_LINE] = start.generation() << TAG_SHIFT | above;
  }

  int base(int slot) {
    return TO_LINE + slot * stride;
  }

  // ---- the state word

  static long owned(long kind, int owner, long epoch) {
    return kind | (long) owner << OWNER_SHIFT | epoch;
  }

  static int owner(long state) {
    return (int) (state >>> OWNER_SHIFT) & OWNER_MASK;
  }

  static long epoch(long state) {
    return state & EPOCH_MASK;
  }

  /**
   * Returns the epoch after one; the writer's events that have stayed for half a turn are settled
   * before their epoch comes again.
   */
  long nextEpoch(int owner, long epoch) {
    long next = epoch + 1 & EPOCH_MASK;
    if (next % EPOCHS_TO_SETTLE == 0) {
      settle(owner);
    }
    return next;
  }

  /** Makes a writer's events say that they are committed, all of them; between its transactions. */
  private void settle(int owner) {
    for (int slot = 0; slot < count; slot++) {
      long state = stateAcquire(slot);
      if ((state & KIND) == PENDING && owner(state) == owner) {
        compareAndSetState(slot, state, LIVE | genAcquire(slot));
      }
    }
  }

  /** The state of an event that its writer has written alone. */
  static long alone(int writer, long gen) {
    return LIVE | writer + 1L << WRITER_SHIFT | gen;
  }

  /** Returns the writer of an event in this state, or -1 if the state does not contain it. */
  static int writer(long state) {
    long kind = state & KIND;
    return kind == PENDING
        ? owner(state)
        : kind == LIVE ? ((int) (state >>> WRITER_SHIFT) & OWNER_MASK) - 1 : -1;
  }

  static boolean isUndecided(long state) {
    return state >>> 61 == UNDECIDED >>> 61;
  }

  long stateAcquire(int slot) {
    return OrderedAccess.getAcquire(words, base(slot) + STATE);
  }

  void stateRelease(int slot, long state) {
    OrderedAccess.setRelease(words, base(slot) + STATE, state);
  }

  boolean compareAndSetState(int slot, long expected, long state) {
    return OrderedAccess.compareAndSet(words, base(slot) + STATE, expected, state);
  }

  long genAcquire(int slot) {
    return OrderedAccess.getAcquire(words, base(slot) + GEN);
  }

  /**
   * Whether a slot still holds the event of a generation, so that what was read before was that
   * event's.
   */
  static boolean isStill(long[] words, int base, long gen) {
    OrderedAccess.loadLoadFence();
    return OrderedAccess.getAcquire(words, base + GEN) == gen;
  }

  long linkedAcquire(int slot) {
    return OrderedAccess.getAcquire(words, base(slot) + LINKED);
  }

  // ---- content

  static int shapeId(long meta) {
    return (int) (meta >>> 48);
  }

  static int keyCount(long meta) {
    return (int) (meta >>> 40) & 0xFF;
  }

  static int extraCount(long meta) {
    return (int) (meta >>> 8) & 0xFFFF;
  }

  static int refCount(long meta) {
    return (int) meta & 0xFF;
  }

  /** Copies an event into a slot that the caller has allocated and that is in no list yet. */
  void store(int slot, Event event) {
    int base = base(slot);
    int keys = event.shape.keys.length;
    long[] words = this.words;
    int kept = Math.min(refCount(words[base + META]), refStride);
    words[base + META] =
        (long) event.shape.id << 48
            | (long) keys << 40
            | (long) event.extraCount << 8
            | event.refCount;
    words[base + TYPES] = event.types;
    words[base + LINKED] = 0;
    int at = base + HEADER;
    long[] from = event.words;
    System.arraycopy(from, 0, words, at, keys);
    if (event.extraCount > 0) {
      System.arraycopy(event.extra, 0, words, at + keys, event.extraCount);
    }
    for (int i = 0; i < event.refCount; i++) {
      keepReference(slot * refStride + i, event.refs[i]);
    }
    for (int i = event.refCount; i < kept; i++) {
      refs[slot * refStride + i] = null; // so a slot keeps the strings of one event, not of many
    }
  }

  /**
   * Stamps a slot's event: it comes after all that were stamped before.
   *
   * <p>The clock advances by one step of the processor: a thread that stopped between a load and a
   * store would put it back, and a writer's next event before its last. A thread that writes alone
   * draws several stamps at once, because that step costs as much as a hundred others. A stamp that
   * was drawn before is good as long as the clock stands where it was left: then no thread has
   * stamped an event since.
   *
   * @return the stamp, which no other event gets
   */
  long stamp(int slot, LocalFreeList freeList) {
    boolean hasMore = freeList.stamp != freeList.lastStamp;
    if (!hasMore || OrderedAccess.getVolatile(clock, WORDS_PER_LINE) != freeList.lastStamp) {
      int count = hasMore || !freeList.stampsAlone ? 1 : STAMPS;
      long before = OrderedAccess.getAndAdd(clock, WORDS_PER_LINE, count);
      freeList.stampsAlone = before == freeList.lastStamp;
      freeList.stamp = before;
      freeList.lastStamp = before + count;
    }
    freeList.stamp++;
    words[base(slot) + STAMP] = freeList.stamp;
    return freeList.stamp;
  }

  /** Returns a stamp that is later than all those drawn so far, and given to no event. */
  long lastStamp() {
    return OrderedAccess.getAndAdd(clock, WORDS_PER_LINE, 1) + 1;
  }

  /**
   * Copies a slot's content into an event; what it read is whole only if the caller validates the
   * slot afterwards.
   */
  void load(int slot, Shape shape, Event into) {
    int base = base(slot);
    long[] words = this.words;
    long meta = words[base + META];
    int keys = shape.keys.length;
    int extra = Math.min(extraCount(meta), stride - HEADER - keys);
    int references = Math.min(refCount(meta), refStride);
    int at = base + HEADER;
    into.load(
        shape,
        words[base + TYPES],
        0,
        words,
        at,
        words,
        at + keys,
        extra,
        refs,
        slot * refStride,
        references);
  }

  /**
   * Whether the value of a key is the given number, boolean or string; right only if the slot is
   * validated afterwards.
   */
  @SuppressWarnings("NullAway") // a type that is not scalar comes with a string
  boolean holds(int slot, int base, int ordinal, int type, long word, @Nullable Object string) {
    if (Types.at(words[base + TYPES], ordinal) != type) {
      return false;
    }
    long other = words[base + HEADER + ordinal];
    if (Types.isScalar(type)) {
      return word == other;
    }
    if ((int) word != (int) other) {
      return false;
    }
    Object otherString = reference(slot, other);
    return string == otherString || string.equals(otherString);
  }

  /** What the word of a string refers to; the word can be another value's, if the slot is torn. */
  @Nullable Object reference(int slot, long word) {
    int ref = (int) (word >>> 32);
    return Integer.compareUnsigned(ref, refStride) < 0 ? refs[slot * refStride + ref] : null;
  }

  /**
   * Stores a string only if another one is there: a collector's barrier costs more than the
   * comparison, and events of one kind have the same strings again and again. For the same reason a
   * free slot keeps its strings until it is reused.
   */
  private void keepReference(int at, @Nullable Object reference) {
    if (refs[at] != reference) {
      refs[at] = reference;
    }
  }

  // ---- free slots

  /**
   * The free slots that one transaction keeps: two chains. Thread-confined, like its transaction;
   * the next transaction of the same descriptor goes on with them.
   */
  static final class LocalFreeList {
    int first;
    int firstCount;

    /** What it is counts only if there is any. */
    int second;

    int secondCount;
    final boolean isCaching;

    /** The stamps that were drawn last: the one that was used last, and the last one. */
    private long stamp;

    private long lastStamp;

    /** Whether no other thread has drawn any since the time before. */
    private boolean stampsAlone;

    private @Nullable DeferredRemovals gone;

    LocalFreeList(boolean isCaching) {
      this.isCaching = isCaching;
    }

    /** Returns what was taken and is to be freed later. */
    DeferredRemovals gone(EventSlots slots, IndexTable table) {
      if (gone == null) {
        gone = new DeferredRemovals(slots, table, this);
      }
      return gone;
    }
  }

  /**
   * Returns the free slot that comes next, or -1 if there is none. It stays among those that are
   * kept: the caller takes it off by two assignments, so that it cannot get lost on its way.
   */
  int next(LocalFreeList freeList) {
    return freeList.firstCount == 0 && !refill(freeList) ? -1 : freeList.first - 1;
  }

  /** Returns what is left of a chain after {@link #next} if the transaction keeps none. */
  void returnRest(LocalFreeList freeList) {
    if (!freeList.isCaching && freeList.firstCount > 0) {
      push(freeList.first);
      freeList.first = 0;
      freeList.firstCount = 0;
    }
  }

  private boolean refill(LocalFreeList freeList) {
    if (freeList.secondCount > 0) {
      freeList.first = freeList.second;
      freeList.firstCount = freeList.secondCount;
      freeList.secondCount = 0;
      return true;
    }
    int chain = pop();
    int length = 0;
    for (int link = chain; link != 0; link = nextInChain[link - 1]) {
      length++;
    }
    freeList.first = chain;
    freeList.firstCount = length;
    return chain != 0;
  }

  /**
   * Makes a slot free whose state is FREE and that is in no list any more: retires its generation,
   * keeps or returns it.
   */
  void free(int slot, LocalFreeList freeList) {
    int base = base(slot);
    OrderedAccess.setRelease(words, base + GEN, words[base + GEN] + 1 & GEN_MASK);
    OrderedAccess.storeStoreFence();
    recycle(slot, freeList);
  }

  private void recycle(int slot, LocalFreeList freeList) {
    if (!freeList.isCaching) {
      nextInChain[slot] = 0;
      push(slot + 1);
      return;
    }
    if (freeList.firstCount == batch) {
      if (freeList.secondCount > 0) {
        push(freeList.second);
      }
      freeList.second = freeList.first;
      freeList.secondCount = freeList.firstCount;
      freeList.first = 0;
      freeList.firstCount = 0;
    }
    nextInChain[slot] = freeList.first;
    freeList.first = slot + 1;
    freeList.firstCount++;
  }

  private void push(int chain) {
    long head;
    do {
      head = OrderedAccess.getAcquire(top, WORDS_PER_LINE);
      nextChain[chain - 1] = (int) (head & CHAIN);
    } while (!OrderedAccess.compareAndSet(top, WORDS_PER_LINE, head, tagged(head, chain)));
  }

  private static long tagged(long head, int chain) {
    return (head >>> TAG_SHIFT) + 1 << TAG_SHIFT | chain;
  }

  private int pop() {
    long head;
    int chain;
    do {
      head = OrderedAccess.getAcquire(top, WORDS_PER_LINE);
      chain = (int) (head & CHAIN);
      if (chain == 0) {
        return 0;
      }
    } while (!OrderedAccess.compareAndSet(
        top, WORDS_PER_LINE, head, tagged(head, nextChain[chain - 1])));
    return chain;
  }
}
