package dev.takt.space;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The shared words of the transactions: what each does, how far it is, what it has read that must
 * stay as it is.
 *
 * <pre>
 * status    epoch:48 | ACTIVE, COMMITTED or ABORTED    one compare-and-set ends a transaction, either way
 * progress  counts the owner's operations
 * rank      priority:56 | retries:8                    who gives way; see {@link #prevails}
 * guards    how many guards are up
 * </pre>
 *
 * <p>A <em>guard</em> says: what I have read must stay so until I commit. It is either on an
 * absence (no event with this fingerprint in this index) or on a presence (this event). Whoever
 * adds or takes an event looks for guards afterwards; a guard's owner looks at the events after it
 * has put the guard up; so at least one of the two sees the other. A table of counters by hash
 * tells in one read that there is no guard, which is the usual case.
 *
 * <p><b>Memory:</b> 128 bytes for each transaction that can run at once.
 */
final class Descriptors {
  static final int ACTIVE = 0;
  static final int COMMITTED = 1;
  static final int ABORTED = 2;

  /**
   * The epoch asked for is over; what it has left pending is committed, see the package
   * description.
   */
  static final int PAST = -1;

  private static final int STATUS = 0;
  private static final int PROGRESS = 1;
  private static final int RANK = 2;
  private static final int GUARDS = 3;
  private static final int SHIFT = 4;
  private static final int FILTER_SIZE = 1024;
  private static final int MAX_RETRIES_IN_RANK = 255;

  private final int count;
  private final long[] words;
  private final int[] busy;
  private final int[] filter = new int[FILTER_SIZE];
  private final AtomicReferenceArray<Transaction> transactions;
  private final AtomicInteger highest = new AtomicInteger();

  Descriptors(int count, Start start) {
    this.count = count;
    words = new long[(count + 1) << SHIFT];
    busy = new int[count];
    transactions = new AtomicReferenceArray<>(count);
    for (int owner = 0; owner < count; owner++) {
      words[at(owner, STATUS)] = status(start.epoch() & Slots.EPOCH_MASK, ABORTED);
    }
  }

  /** The array that holds the status words: an owner reads its own without a detour. */
  long[] words() {
    return words;
  }

  static int statusAt(int owner) {
    return at(owner, STATUS);
  }

  static long status(long epoch, int status) {
    return epoch << 2 | status;
  }

  private static int at(int owner, int word) {
    return (owner + 1 << SHIFT) - 8 + word;
  }

  // ---- who has which

  /** Returns a free transaction object, which is the caller's until {@link #release}. */
  Transaction acquire(EventSpace space, int hint) {
    for (int i = 0; i < count; i++) {
      int owner = (hint + i) % count;
      if (Memory.getVolatile(busy, owner) == 0 && Memory.compareAndSet(busy, owner, 0, 1)) {
        Transaction transaction = transactions.get(owner);
        if (transaction == null) {
          transaction = new Transaction(space, owner);
          transactions.set(owner, transaction);
          highest.accumulateAndGet(owner, Math::max);
        }
        return transaction;
      }
    }
    throw new IllegalStateException(
        "too many transactions at once: limit="
            + count
            + "; close those that are no longer used, or raise SpaceSettings.maxTransactions");
  }

  /** Ends a use; the transaction object stays for the next user. */
  void release(int owner) {
    Memory.setRelease(busy, owner, 0);
  }

  /** Ends a use for good: the next user gets another object, so that the old one stays closed. */
  void retire(int owner) {
    transactions.set(owner, null);
    release(owner);
  }

  int highest() {
    return highest.get();
  }

  /** Returns the transaction object of a descriptor, or null if it was never used. */
  @Nullable Transaction transaction(int owner) {
    return transactions.get(owner);
  }

  // ---- status

  /** Returns the last epoch of a descriptor. */
  long epoch(int owner) {
    return Memory.getVolatile(words, at(owner, STATUS)) >>> 2;
  }

  void begin(int owner, long epoch, long rank) {
    Memory.setOpaque(words, at(owner, RANK), rank);
    Memory.setRelease(words, at(owner, STATUS), epoch << 2 | ACTIVE);
  }

  static long rank(int priority, int retries) {
    return (long) priority << 8 | Math.min(retries, MAX_RETRIES_IN_RANK);
  }

  /** One of ACTIVE, COMMITTED, ABORTED, or PAST if the owner has gone on to another epoch. */
  int status(int owner, long epoch) {
    long status = Memory.getVolatile(words, at(owner, STATUS));
    return status >>> 2 == epoch ? (int) status & 3 : PAST;
  }

  /** Ends an active transaction; false if it has ended otherwise. */
  boolean end(int owner, long epoch, int outcome) {
    return Memory.compareAndSet(
        words, at(owner, STATUS), epoch << 2 | ACTIVE, epoch << 2 | outcome);
  }

  void progressed(int owner) {
    int at = at(owner, PROGRESS);
    Memory.setOpaque(words, at, words[at] + 1);
  }

  long progress(int owner) {
    return Memory.getOpaque(words, at(owner, PROGRESS));
  }

  int retries(int owner) {
    return (int) Memory.getOpaque(words, at(owner, RANK)) & MAX_RETRIES_IN_RANK;
  }

  /**
   * Whether {@code mine} goes first: by priority, then by how often it was tried before, then by
   * descriptor.
   */
  boolean prevails(int mine, int other) {
    long myRank = Memory.getOpaque(words, at(mine, RANK));
    long otherRank = Memory.getOpaque(words, at(other, RANK));
    return myRank != otherRank ? myRank > otherRank : mine < other;
  }

  // ---- guards

  static long absence(@Nullable Index index, long fingerprint) {
    return index == null ? 1L << 62 : (long) index.id << 56 & ~(3L << 62) | fingerprint >>> 8;
  }

  static long presence(int slot, long gen) {
    return 1L << 63 | (long) slot << Slots.GEN_BITS | gen;
  }

  private static int hash(long guard) {
    return (int) Memory.stir(guard) & FILTER_SIZE - 1;
  }

  /** Puts up a guard; what the caller looks at afterwards is seen no earlier. */
  void guard(int owner, long[] guards, int count, long guard) {
    Memory.getAndAdd(filter, hash(guard), 1);
    Memory.setOpaque(guards, count, guard);
    Memory.setVolatile(words, at(owner, GUARDS), count + 1);
    Memory.fullFence();
  }

  /** Takes down all guards of a transaction that has ended. */
  void unguard(int owner, long[] guards, int count) {
    Memory.setRelease(words, at(owner, GUARDS), 0);
    for (int i = 0; i < count; i++) {
      Memory.getAndAdd(filter, hash(guards[i]), -1);
    }
  }

  /** Whether somebody may have this guard up; false is certain. */
  boolean maybeGuarded(long guard) {
    return Memory.getVolatile(filter, hash(guard)) != 0;
  }

  /**
   * Whether a transaction other than its own descriptors' has this guard up, in the given place.
   */
  boolean hasGuard(int owner, long guard) {
    int count = (int) Memory.getVolatile(words, at(owner, GUARDS));
    if (count == 0) {
      return false;
    }
    Transaction transaction = transactions.get(owner);
    long[] guards = transaction == null ? new long[0] : transaction.guards();
    for (int i = 0; i < count && i < guards.length; i++) {
      if (Memory.getOpaque(guards, i) == guard) {
        return true;
      }
    }
    return false;
  }

  /** The epoch in which a descriptor is active, or -1 if it is not. */
  long activeEpoch(int owner) {
    long status = Memory.getVolatile(words, at(owner, STATUS));
    return (status & 3) == ACTIVE ? status >>> 2 : -1;
  }
}
