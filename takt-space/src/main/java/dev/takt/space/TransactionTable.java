package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The shared words of the transactions: what each does, how far it is, what it has read that must
 * stay as it is.
 *
 * <pre>
 * status    epoch:48 | ACTIVE, COMMITTED, ABORTED or ENDED    one compare-and-set ends a transaction, either way
 * progress  counts the owner's operations
 * rank      priority:56 | retries:8                    decides conflicts; see {@link #prevails}
 * guards    how many guards are up
 * mask      a bit for each of them, by its hash: a look at all goes past most with one line of memory
 * </pre>
 *
 * <p>A <em>guard</em> makes what a transaction has read stay so until it commits. It is either on
 * an absence (no event with this fingerprint in this index) or on a presence (this event). Whoever
 * adds or takes an event looks for guards afterwards; a guard's owner looks at the events after it
 * has put the guard up; so at least one of the two sees the other. A table by hash tells in one
 * read that there is no guard, which is the usual case, or whose guards there are:
 *
 * <pre>
 * guardians   a descriptor + 1:14 | another + 1:14 | how many guards:36      0 is none
 * </pre>
 *
 * <p>A guard names its owner in its word if one of the two places is free, and is counted in any
 * case; one that is taken down removes a name of its owner if there is one, and counts down. So no
 * owner is named more often than it has guards there, and if there are as many names as guards,
 * these are all: a transaction that adds an event looks at one or two descriptors. Only where three
 * guards or more share a word does it look at all; the table is that large that this is rare with
 * one guard for each transaction, the rarer the longer that look would be.
 *
 * <p><b>Memory:</b> for each transaction that can run at once some 160 bytes, or 260 if there can
 * be 2,032 or more.
 */
final class TransactionTable {
  static final int ACTIVE = 0;
  static final int COMMITTED = 1;
  static final int ABORTED = 2;

  /** Aborted by another thread that has a token: its owner gets another Abort. */
  static final int ENDED = 3;

  /**
   * The epoch asked for is over; what it has left pending is committed, see the package
   * description.
   */
  static final int PAST = -1;

  private static final int STATUS = 0;
  private static final int PROGRESS = 1;
  private static final int RANK = 2;
  private static final int GUARDS = 3;
  private static final int MASK = 4;
  private static final int SHIFT = 4;
  private static final int HINTS = 256;

  /** The width of a descriptor in a word of guardians. */
  private static final int NAME_BITS = 14;

  private static final long NAME = (1L << NAME_BITS) - 1;
  private static final int COUNT_BITS = 64 - 2 * NAME_BITS;

  /** From so many descriptors on the table of guardians is larger for each. */
  private static final int MANY = 2_048;

  /**
   * So many descriptors more than there can be transactions: operations alone find one whatever
   * stays open.
   */
  static final int RESERVE = 16;

  static final int MAX_RETRIES_IN_RANK = 255;

  /**
   * The user of a transaction object after an error has cut off its end, until its next operation.
   */
  static final Object CUT_OFF = new Object();

  /** The user of a transaction object that is settled because no thread uses it. */
  static final Object RECLAIMER = new Object();

  private static final VarHandle USER =
      OrderedAccess.field(MethodHandles.lookup(), ConflictResolver.class, "user", Object.class);

  /** How many transactions there can be, without the reserve. */
  private final int most;

  /** The array that holds the status words: an owner reads its own without a detour. */
  final long[] words;

  /** For each hash of a guard the guardians, as above. */
  private final long[] filter;

  private final AtomicReferenceArray<Transaction> transactions;

  /** For each descriptor where {@link #anyStuck} saw its transaction last. */
  private final long[] unsettled;

  private final AtomicInteger highest = new AtomicInteger();

  /**
   * The descriptor that a thread has used last, by its identifier; any value is right. The first
   * few threads of a program start at different places.
   */
  private final int[] hints = new int[HINTS];

  TransactionTable(int maxTransactions, InitialCounters start) {
    most = maxTransactions;
    int count = maxTransactions + RESERVE;
    words = new long[(count + 1) << SHIFT];
    int least = Math.max(1 << 10, count * (count < MANY ? 3 : 12));
    filter = new long[Integer.highestOneBit(2 * least - 1)];
    transactions = new AtomicReferenceArray<>(count);
    unsettled = new long[count];
    Arrays.setAll(hints, i -> (i & 7) % most);
    for (int owner = 0; owner < count; owner++) {
      words[at(owner, STATUS)] = status(start.epoch() & EventSlots.EPOCH_MASK, ABORTED);
    }
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

  /**
   * Returns a free transaction object, which is the calling thread's until it sets {@link
   * ConflictResolver#user} to null.
   *
   * @throws IllegalStateException if all are in use
   */
  Transaction forTransaction(EventSpace space) {
    Transaction transaction = acquire(space, most);
    if (transaction == null) {
      reclaim(true);
      transaction = acquire(space, most);
      if (transaction == null) {
        throw tooMany("");
      }
    }
    return transaction;
  }

  /**
   * As {@link #forTransaction}, for a caller that gives it back after one operation: the reserve is
   * for these alone, so one of them is free soon.
   */
  Transaction forOperation(EventSpace space) {
    Transaction transaction = acquire(space, most + RESERVE);
    if (transaction == null) {
      reclaim(true);
      long begunNs = SystemWaitClock.INSTANCE.nanoTime();
      for (long look = 0; transaction == null; look++) {
        if (SystemWaitClock.INSTANCE.nanoTime() - begunNs > ConflictResolver.LONGEST_PATIENCE_NS) {
          throw tooMany(", and " + RESERVE + " operations stood still for 100 ms");
        }
        ConflictResolver.pause(look);
        transaction = acquire(space, most + RESERVE);
      }
    }
    return transaction;
  }

  private IllegalStateException tooMany(String more) {
    return new IllegalStateException(
        ("too many transactions at once: limit=%s%s; close those that are no longer used, or "
                + "raise SpaceSettings.maxTransactions")
            .formatted(most, more));
  }

  /** Returns a free one of the first {@code count}, or null. */
  private @Nullable Transaction acquire(EventSpace space, int count) {
    Thread user = Thread.currentThread();
    int hint = (int) user.threadId() & HINTS - 1;
    int owner = hints[hint];
    owner = owner < count ? owner : 0;
    for (int i = 0; i < count; i++) {
      Transaction transaction = transactions.getAcquire(owner);
      if (transaction == null) {
        transaction = open(space, owner, user);
      } else if (USER.compareAndSet(transaction, null, user)) {
        try {
          transaction = ready(space, owner, user, transaction);
        } catch (Throwable cutOff) {
          transaction.user = null;
          throw cutOff;
        }
      } else {
        transaction = null;
      }
      if (transaction != null) {
        hints[hint] = owner;
        return transaction;
      }
      owner++;
      owner = owner == count ? 0 : owner;
    }
    return null;
  }

  private @Nullable Transaction open(EventSpace space, int owner, Thread user) {
    highest.accumulateAndGet(owner, Math::max);
    boolean isCaching = owner < Math.min(EventSlots.KEEPERS, most) && space.slots.batch > 0;
    EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(isCaching);
    Transaction transaction = new Transaction(space, owner, user, freeList, null);
    return transactions.compareAndSet(owner, null, transaction) ? transaction : null;
  }

  /**
   * The next user of a closed transaction gets another object, so that the old one stays closed.
   */
  private Transaction ready(EventSpace space, int owner, Thread user, Transaction before) {
    before.settleLeftOver();
    if (!before.closed) {
      return before;
    }
    Transaction transaction = new Transaction(space, owner, user, before.freeList, before);
    transactions.setRelease(owner, transaction);
    return transaction;
  }

  /**
   * Settles what transactions have left that no thread uses any more: because an error has cut off
   * their end, or because their thread is gone.
   *
   * @param close whether to close those of threads that are gone, so that others can have them
   */
  void reclaim(boolean close) {
    for (int owner = highest(); owner >= 0; owner--) {
      Transaction transaction = transactions.getAcquire(owner);
      if (transaction != null
          && (!transaction.settled || close && transaction.leftRunning)
          && isAbandoned(owner)) {
        Object user = transaction.user;
        if (isGone(user) && USER.compareAndSet(transaction, user, RECLAIMER)) {
          try {
            transaction.leftRunning |= !transaction.settled && user instanceof Thread;
            transaction.settleLeftOver();
            if (close && transaction.leftRunning) {
              transaction.closed = true;
              user = null;
            }
          } finally {
            transaction.user = user;
          }
        }
      }
    }
  }

  /**
   * Gives a transaction object to another thread, unless it is free.
   *
   * @param runs whether the transaction runs and is to go on: then only the thread that began it
   *     can use it, for as long as that lives
   */
  void handOver(Transaction transaction, Thread thread, boolean runs) {
    Object user = transaction.user;
    while (user != null) {
      if (runs && !isGone(user) && user instanceof Thread other) {
        throw new IllegalStateException(
            ("the transaction runs on thread %s and was used by thread %s; use it on the "
                    + "thread that began it, or hand it over after its end; token().end() ends "
                    + "it from any thread")
                .formatted(other.getName(), thread.getName()));
      }
      if (user != RECLAIMER && USER.compareAndSet(transaction, user, thread)) {
        transaction.leftRunning = false;
        return;
      }
      Thread.yield();
      user = transaction.user;
    }
  }

  /** Checks that a transaction can begin. */
  static void requireFree(Transaction transaction) {
    String wrong =
        transaction.closed
            ? "transaction used after close(); ask the space for a new one"
            : transaction.isBegun()
                ? "transaction is already running"
                : transaction.user == null
                    ? "transaction used after the end of its transact(); newTransaction() returns"
                        + " one that can be kept"
                    : null;
    if (wrong != null) {
      throw new IllegalStateException(wrong);
    }
  }

  /** Checks that the body of a transact has not ended its transaction itself. */
  static void requireLeftRunning(Transaction transaction) {
    if (!transaction.isBegun()) {
      throw new IllegalStateException(
          "the body of transact() has ended its transaction, which transact() does when the body"
              + " returns; call abort() to undo it, or use newTransaction() to end it by hand");
    }
  }

  private static boolean isGone(@Nullable Object user) {
    return user == null || user == CUT_OFF || user instanceof Thread thread && !thread.isAlive();
  }

  /**
   * Whether a transaction may keep others from being notified: it has not come to its end, and
   * stands where it stood at the last call. It is reported once. For one caller at a time.
   */
  boolean anyStuck() {
    boolean any = false;
    for (int owner = highest(); owner >= 0; owner--) {
      Transaction transaction = transactions.getAcquire(owner);
      if (transaction != null && !transaction.settled) {
        long status = OrderedAccess.getVolatile(words, at(owner, STATUS));
        long seen = (status << 1 | (transaction.isPublishing() ? 1 : 0)) << 1;
        any |= unsettled[owner] == seen;
        unsettled[owner] = unsettled[owner] >>> 1 == seen >>> 1 ? seen | 1 : seen;
      }
    }
    return any;
  }

  /** Whether a transaction has begun and not come to its end. */
  boolean anyUnsettled() {
    for (int owner = highest(); owner >= 0; owner--) {
      Transaction transaction = transactions.getAcquire(owner);
      if (transaction != null && !transaction.settled) {
        return true;
      }
    }
    return false;
  }

  /** Refuses a call by a thread that is committing: it would wait for its own end. */
  void requireNotCommitting() {
    for (int owner = highest(); owner >= 0; owner--) {
      Transaction transaction = transactions.getAcquire(owner);
      if (transaction != null
          && transaction.user == Thread.currentThread()
          && transaction.isPublishing()) {
        throw new IllegalStateException(
            "called by a listener or subscriber, for whose commit it would wait, or while a commit of"
                + " this thread is deferred; call it from another thread, or afterwards");
      }
    }
  }

  /** Returns whether a subscriber or listener has called, whose commit is on this thread. */
  boolean isCalledBack() {
    for (int owner = highest(); owner >= 0; owner--) {
      Transaction transaction = transactions.getAcquire(owner);
      if (transaction != null
          && transaction.user == Thread.currentThread()
          && transaction.isCallingBack()) {
        return true;
      }
    }
    return false;
  }

  /** Returns once each transaction that is committing now has come to its end. */
  void awaitCommits(EventSpace space) {
    for (int owner = highest(); owner >= 0; owner--) {
      Transaction transaction = transactions.getAcquire(owner);
      long epoch = OrderedAccess.getVolatile(words, at(owner, STATUS)) >> 2;
      for (long look = 0;
          transaction != null
              && transaction.isPublishing()
              && OrderedAccess.getVolatile(words, at(owner, STATUS)) >> 2 == epoch;
          look++) {
        space.descriptors.reclaim(false);
        ConflictResolver.pause(look);
      }
    }
  }

  /** Whether no thread uses a transaction any more, so that it will not end by itself. */
  boolean isAbandoned(int owner) {
    Transaction transaction = transactions.getAcquire(owner);
    return transaction != null && isGone(transaction.user);
  }

  /** Ends a running transaction that no thread uses any more; returns whether it was one. */
  boolean endAbandoned(int owner, long epoch) {
    return isAbandoned(owner) && end(owner, epoch, ABORTED);
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
    return OrderedAccess.getVolatile(words, at(owner, STATUS)) >>> 2;
  }

  /** Begins an epoch of the descriptor whose status is at a place in {@link #words}. */
  static void begin(long[] words, int statusAt, long epoch, long rank) {
    OrderedAccess.setOpaque(words, statusAt - STATUS + RANK, rank);
    OrderedAccess.setRelease(words, statusAt, epoch << 2 | ACTIVE);
  }

  static long rank(int priority, int retries) {
    return (long) priority << 8 | Math.min(retries, MAX_RETRIES_IN_RANK);
  }

  /**
   * One of ACTIVE, COMMITTED, ABORTED, ENDED, or PAST if the owner has gone on to another epoch.
   */
  int status(int owner, long epoch) {
    long status = OrderedAccess.getVolatile(words, at(owner, STATUS));
    return status >>> 2 == epoch ? (int) status & 3 : PAST;
  }

  /** Ends an active transaction; false if it has ended otherwise. */
  boolean end(int owner, long epoch, int outcome) {
    return OrderedAccess.compareAndSet(
        words, at(owner, STATUS), epoch << 2 | ACTIVE, epoch << 2 | outcome);
  }

  static void progressed(long[] words, int statusAt) {
    int at = statusAt - STATUS + PROGRESS;
    OrderedAccess.setOpaque(words, at, words[at] + 1);
  }

  long progress(int owner) {
    return OrderedAccess.getOpaque(words, at(owner, PROGRESS));
  }

  long priority(int owner) {
    return OrderedAccess.getOpaque(words, at(owner, RANK)) >>> 8;
  }

  int retries(int owner) {
    return (int) OrderedAccess.getOpaque(words, at(owner, RANK)) & MAX_RETRIES_IN_RANK;
  }

  /**
   * Whether {@code mine} goes first: by priority, then by how often it was tried before, then by
   * descriptor.
   */
  boolean prevails(int mine, int other) {
    long myRank = OrderedAccess.getOpaque(words, at(mine, RANK));
    long otherRank = OrderedAccess.getOpaque(words, at(other, RANK));
    return myRank != otherRank ? myRank > otherRank : mine < other;
  }

  // ---- guards

  static long absence(Index index, long fingerprint) {
    return (long) index.id << 56 & ~(3L << 62) | fingerprint >>> 8;
  }

  static long presence(int slot, long gen) {
    return 1L << 63 | (long) slot << EventSlots.GEN_BITS | gen;
  }

  private int hash(long guard) {
    return (int) OrderedAccess.hashStep(guard) & filter.length - 1;
  }

  private static long bit(long guard) {
    return 1L << (OrderedAccess.hashStep(guard) >>> 58);
  }

  /** Notes a guard that is about to be put up. The last step is the one that counts. */
  void count(int owner, long[] guards, int entry, long guard) {
    OrderedAccess.setOpaque(guards, entry, guard);
    OrderedAccess.setOpaque(words, at(owner, MASK), words[at(owner, MASK)] | bit(guard));
    int at = hash(guard);
    long word;
    do {
      word = OrderedAccess.getVolatile(filter, at);
    } while (!OrderedAccess.compareAndSet(filter, at, word, with(word, owner)));
  }

  /** Puts up the guards noted; what the caller looks at afterwards is seen no earlier. */
  void guard(int owner, int count) {
    OrderedAccess.setVolatile(words, at(owner, GUARDS), count);
    OrderedAccess.fullFence();
  }

  /** Takes down the guards of a transaction but the first ones, because nothing needs them. */
  void unguard(int owner, int left) {
    OrderedAccess.setRelease(words, at(owner, GUARDS), left);
    if (left == 0) {
      OrderedAccess.setRelease(words, at(owner, MASK), 0);
    }
  }

  /** Undoes {@link #count}. */
  void discount(int owner, long guard) {
    int at = hash(guard);
    long word;
    do {
      word = OrderedAccess.getVolatile(filter, at);
    } while (!OrderedAccess.compareAndSet(filter, at, word, without(word, owner)));
  }

  /** A word of guardians with one guard more. */
  static long with(long word, int owner) {
    long name = owner + 1L;
    if (first(word) < 0) {
      word |= name << 64 - NAME_BITS;
    } else if (second(word) < 0) {
      word |= name << COUNT_BITS;
    }
    return word + 1;
  }

  /** A word of guardians with one of the owner's guards less. */
  static long without(long word, int owner) {
    if (second(word) == owner) {
      word &= ~(NAME << COUNT_BITS);
    } else if (first(word) == owner) {
      word &= ~(NAME << 64 - NAME_BITS);
    }
    return word - 1;
  }

  /**
   * Returns the owners that may have a guard like this one up, for the three methods that follow.
   */
  long guardHolders(long guard) {
    return OrderedAccess.getVolatile(filter, hash(guard));
  }

  /** Whether a word names all guardians. */
  static boolean namesAll(long word) {
    int names = (first(word) < 0 ? 0 : 1) + (second(word) < 0 ? 0 : 1);
    return (word & (1L << COUNT_BITS) - 1) == names;
  }

  /** A guardian that a word names, or -1. */
  static int first(long word) {
    return (int) (word >>> 64 - NAME_BITS) - 1;
  }

  /** Another one, or the same one again, or -1. */
  static int second(long word) {
    return (int) (word >>> COUNT_BITS & NAME) - 1;
  }

  /** Whether this guard may be up; false is certain. */
  boolean maybeGuarded(long guard) {
    return OrderedAccess.getVolatile(filter, hash(guard)) != 0;
  }

  /** Whether the transaction of this descriptor has this guard up. */
  boolean hasGuard(int owner, long guard) {
    int count = (int) OrderedAccess.getVolatile(words, at(owner, GUARDS));
    if (count == 0 || (OrderedAccess.getOpaque(words, at(owner, MASK)) & bit(guard)) == 0) {
      return false;
    }
    Transaction transaction = transactions.get(owner);
    long[] guards = transaction == null ? new long[0] : transaction.guards;
    for (int i = 0; i < count && i < guards.length; i++) {
      if (OrderedAccess.getOpaque(guards, i) == guard) {
        return true;
      }
    }
    return false;
  }

  /** The epoch in which a descriptor is active, or -1 if it is not. */
  long activeEpoch(int owner) {
    long status = OrderedAccess.getVolatile(words, at(owner, STATUS));
    return (status & 3) == ACTIVE ? status >>> 2 : -1;
  }
}
