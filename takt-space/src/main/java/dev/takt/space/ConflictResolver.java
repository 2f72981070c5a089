package dev.takt.space;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Resolves conflicts: the status and the rank of a transaction, and which of two gives way.
 *
 * <p>The rules are in the {@linkplain dev.takt.space package description}: the higher rank aborts
 * the lower; the lower looks at the higher for a bounded time, and aborts it only if it has stood
 * still all that time. A thread with a {@link ConflictDeferral} does not wait.
 *
 * <p><b>Thread rule:</b> as {@link Transaction}; only the status word and the user are shared.
 */
abstract sealed class ConflictResolver permits TransactionLog {
  /** The longest wait for another transaction, for any settings and any number of aborts. */
  static final long LONGEST_PATIENCE_NS = 100_000_000;

  /** From here on a longer patience would be beyond the bound above in any case. */
  private static final int MAX_GROWTH = 8;

  private static final int SPINS = 64;
  private static final int YIELDS = 2_048;
  private static final long NAP_NS = 50_000;

  final EventSpace space;
  final TransactionTable descriptors;
  final SpaceSettings settings;
  final int owner;

  /**
   * The array of the status words, and the place of this one's: read at every step, so without a
   * detour.
   */
  final long[] statusWords;

  final int statusAt;

  long epoch;

  /** Whether this is a direct operation: one step, which needs no guards. */
  boolean single;

  /**
   * The user of the transaction object: the thread of the last operation, {@link
   * TransactionTable#RECLAIMER}, or null if it is free. It is taken with a compare-and-set and
   * given back with a plain assignment of null, which, unlike a call, cannot fail for want of
   * stack.
   */
  volatile @Nullable Object user;

  /**
   * The transaction within which this one's direct operation is nested: it is no rival. -1: none.
   */
  int outer = -1;

  ConflictResolver(EventSpace space, int owner, Object user) {
    this.space = space;
    this.descriptors = space.descriptors;
    this.settings = space.settings();
    this.owner = owner;
    this.user = user;
    this.statusWords = descriptors.words;
    this.statusAt = TransactionTable.statusAt(owner);
    this.epoch = descriptors.epoch(owner);
  }

  boolean isActive() {
    return OrderedAccess.getVolatile(statusWords, statusAt)
        == TransactionTable.status(epoch, TransactionTable.ACTIVE);
  }

  void requireActive() {
    if (!isActive()) {
      throw lost();
    }
  }

  /** Why a transaction that is not active any more cannot go on. */
  Abort lost() {
    return isEnded() ? EventSpace.ENDED : EventSpace.CONFLICT;
  }

  /** Whether another thread has ended the transaction by its token. */
  boolean isEnded() {
    return descriptors.status(owner, epoch) == TransactionTable.ENDED;
  }

  /**
   * After adding an event: resolves conflicts with transactions that have a guard on its absence.
   */
  void checkAbsenceGuards(long guard) {
    if (descriptors.maybeGuarded(guard)) {
      abortGuardHolders(guard);
    }
  }

  /**
   * After claiming an event: resolves conflicts with transactions that have a guard on its
   * presence.
   */
  void checkPresenceGuards(int slot, long gen) {
    long guard = TransactionTable.presence(slot, gen);
    if (descriptors.maybeGuarded(guard)) {
      abortGuardHolders(guard);
    }
  }

  void abortGuardHolders(long guard) {
    long holders = descriptors.guardHolders(guard);
    if (TransactionTable.namesAll(holders)) {
      abortGuardHolders(TransactionTable.first(holders), guard);
      abortGuardHolders(TransactionTable.second(holders), guard);
      return;
    }
    for (int other = descriptors.highest(); other >= 0; other--) {
      abortGuardHolders(other, guard);
    }
  }

  private void abortGuardHolders(int other, long guard) {
    if (other < 0 || other == owner || other == outer) {
      return;
    }
    long otherEpoch = descriptors.activeEpoch(other);
    if (otherEpoch >= 0 && descriptors.hasGuard(other, guard)) {
      resolveConflict(other, otherEpoch, patienceWithReader(other));
    }
  }

  /**
   * An operation alone hardly waits for a transaction of its priority that has a guard up and
   * stands still. With each further attempt that one is looked at sixteen times as often.
   */
  private int patienceWithReader(int other) {
    return single && descriptors.priority(owner) == descriptors.priority(other)
        ? Math.min(SPINS, settings.patience())
        : settings.patience();
  }

  void resolveConflict(int other, long otherEpoch) {
    resolveConflict(other, otherEpoch, settings.patience());
  }

  /**
   * Returns when the other transaction has ended, one way or the other, or throws because this one
   * has to give way, or because its thread does not wait.
   */
  private void resolveConflict(int other, long otherEpoch, int patience) {
    if (!descriptors.prevails(owner, other)) {
      long looks = looks(patience, settings.maxRetries(), descriptors.retries(other));
      ConflictDeferral deferral = ConflictDeferral.ofThread(space);
      if (deferral == null
          ? hasMovedOn(other, otherEpoch, looks)
          : isStillAhead(other, deferral)
              && isActive(other, otherEpoch)
              && deferral.await(other, otherEpoch, looks)) {
        descriptors.end(owner, epoch, TransactionTable.ABORTED);
        throw lost();
      }
    }
    descriptors.end(other, otherEpoch, TransactionTable.ABORTED);
  }

  /**
   * Waits until the other transaction has ended, or was looked at for long enough; returns whether
   * it runs and has made progress meanwhile.
   */
  private boolean hasMovedOn(int other, long otherEpoch, long looks) {
    long before = descriptors.progress(other);
    long begunNs = SystemWaitClock.INSTANCE.nanoTime();
    for (long look = 0; look < looks; look++) {
      if (!isActive(other, otherEpoch)) {
        return false;
      }
      if (descriptors.isAbandoned(other) || isLongest(look, begunNs)) {
        break;
      }
      pause(look);
    }
    return descriptors.progress(other) != before;
  }

  /** Whether a wait has been as long as one may be, for any number of looks. */
  static boolean isLongest(long look, long begunNs) {
    return look >= SPINS && SystemWaitClock.INSTANCE.nanoTime() - begunNs > LONGEST_PATIENCE_NS;
  }

  /** Returns whether another transaction runs; throws if this one does not. */
  private boolean isActive(int other, long otherEpoch) {
    boolean isActive = descriptors.status(other, otherEpoch) == TransactionTable.ACTIVE;
    if (isActive) {
      requireActive();
    }
    return isActive;
  }

  /** Whether the other one prevails, too, if an operation that was deferred counts its losses. */
  private boolean isStillAhead(int other, ConflictDeferral deferral) {
    return descriptors.priority(owner) < descriptors.priority(other)
        || Math.max(descriptors.retries(owner), deferral.losses()) <= descriptors.retries(other);
  }

  /**
   * How often to look at a transaction: each time it has been aborted for standing still, it is
   * given sixteen times as long.
   */
  static long looks(int patience, int maxRetries, int retries) {
    return (long) patience << 4 * Math.min(Math.min(maxRetries, retries), MAX_GROWTH);
  }

  /** Spins, then yields, then sleeps: a transaction that stands still may do so for long. */
  static void pause(long look) {
    if (look < SPINS) {
      Thread.onSpinWait();
    } else if (look < YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(NAP_NS);
    }
  }
}
