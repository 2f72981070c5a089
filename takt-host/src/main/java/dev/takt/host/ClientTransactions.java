package dev.takt.host;

import dev.takt.client.wire.Refusal;
import dev.takt.space.Abort;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.EventSpace;
import dev.takt.space.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that one client has begun, by their numbers from 1 on.
 *
 * <p>One that is not over in time is rolled back, so that a client which stalls holds up nobody.
 * Its number stays taken until the client ends it: a caller that does not know yet never meets the
 * transaction of another one.
 *
 * <p>A conflict that was lost counts for one transaction at a time, which ranks higher for it. So
 * does one that was lost to the client itself: a client with two links could do that in any case.
 *
 * <p><b>Thread rule:</b> that of its session.
 *
 * <p><b>Memory:</b> one transaction of the space for each that runs; of each that was refused, the
 * beginning of the text. One that has ended is kept for the next, which then makes no garbage, but
 * for no longer than it might have run: who does nothing holds none.
 */
final class ClientTransactions implements AutoCloseable {
  /** More make no difference to a transaction's rank. */
  private static final int MOST_LOSSES = 255;

  private final EventSpace space;
  private final ClientLimits limits;
  private final @Nullable Transaction[] running;
  private final long[] deadlinesNs;
  private final boolean[] isTaken;

  /** As how often tried before each was begun. */
  private final int[] retries;

  /**
   * How many conflicts were lost by transactions whose work was neither committed nor given up, and
   * is not tried again now.
   */
  private int losses;

  /** Why they were rolled back before their ends, if it was not for their time. */
  private final @Nullable Throwable[] refusals;

  private @Nullable Transaction kept;
  private long keptUntilNs;

  ClientTransactions(EventSpace space, ClientLimits limits) {
    this.space = space;
    this.limits = limits;
    int limit = limits.maxTransactions();
    running = new Transaction[limit];
    deadlinesNs = new long[limit];
    isTaken = new boolean[limit];
    retries = new int[limit];
    refusals = new Throwable[limit];
  }

  /**
   * Begins one; returns its number.
   *
   * @param retriesTold how often its work was tried before, which counts at most as often as this
   *     client has lost: who says more would go before all others
   * @throws IllegalArgumentException if the client may not have that priority
   * @throws IllegalStateException if there are as many as may be
   */
  int begin(int priority, int retriesTold, long nowNs) {
    limits.requirePriority(priority);
    for (int i = 0; i < running.length; i++) {
      if (!isTaken[i]) {
        int counted = Math.min(retriesTold, losses);
        running[i] = begun(priority, counted);
        retries[i] = counted;
        losses -= counted;
        isTaken[i] = true;
        deadlinesNs[i] = nowNs + limits.maxTransactionNs();
        return i + 1;
      }
    }
    throw new IllegalStateException(
        ("too many transactions of one client: limit=%s, ClientLimits.maxTransactions; end some, or"
                + " allow it more: transactions in the file of --tokens")
            .formatted(running.length));
  }

  private Transaction begun(int priority, int retries) {
    Transaction transaction = kept == null ? fresh() : kept;
    kept = null;
    try {
      transaction.begin(priority, retries);
    } catch (Throwable refused) {
      transaction.close();
      throw refused;
    }
    return transaction;
  }

  private Transaction fresh() {
    try {
      return space.newTransaction();
    } catch (IllegalStateException allInUse) {
      throw new IllegalStateException(
          ("too many transactions of all clients at once: limit=%s, SpaceSettings.maxTransactions;"
                  + " end some, or allow each client fewer: sessions and transactions in the file"
                  + " of --tokens")
              .formatted(space.settings().maxTransactions()),
          allInUse);
    }
  }

  /**
   * Returns one that runs.
   *
   * @throws Abort if it was not over in time, or has failed for such a reason
   * @throws IllegalStateException if the client has begun no such one
   */
  Transaction get(int number) {
    Transaction transaction = isKnown(number) ? running[number - 1] : null;
    if (transaction != null) {
      return transaction;
    }
    if (isKnown(number)) {
      switch (refusals[number - 1]) {
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case null, default -> {}
      }
      throw Abort.of(
          Abort.Reason.ENDED,
          ("the transaction was not over after %s ms and was rolled back; do less in one, or"
                  + " split it, and try again: limit=ClientLimits.maxTransactionNs (of ./takt serve: --transaction-time)")
              .formatted(limits.maxTransactionNs() / 1_000_000));
    }
    throw new IllegalStateException(
        "no transaction " + number + " runs; it has ended, or was never begun");
  }

  /** Rolls one back that has failed; until its number is free, {@link #get} throws why. */
  void fail(int number, Throwable why) {
    Transaction transaction = isKnown(number) ? running[number - 1] : null;
    if (transaction != null) {
      running[number - 1] = null;
      refusals[number - 1] = keptPart(why);
      release(transaction, number - 1);
    }
  }

  /** Returns what tells the same in few characters: a text may show the whole event. */
  private static Throwable keptPart(Throwable why) {
    String text = ClientOutcomes.keptPart(String.valueOf(why.getMessage()));
    Refusal refusal = Refusal.of(why);
    return refusal == Refusal.FAILED ? new RuntimeException(text) : refusal.thrown(text);
  }

  private boolean isKnown(int number) {
    return number >= 1 && number <= isTaken.length && isTaken[number - 1];
  }

  /** Commits one and frees its number; false if it has lost a conflict. */
  boolean commit(int number) {
    boolean isCommitted;
    try {
      isCommitted = get(number).commit();
      if (!isCommitted) {
        countLoss(number - 1);
      }
    } catch (ConflictDeferral.Deferred deferred) {
      throw deferred; // it runs on until it is asked again
    } catch (Throwable refused) {
      free(number);
      throw refused;
    }
    free(number);
    return isCommitted;
  }

  /** Rolls one back and frees its number. */
  void rollback(int number) {
    if (!isKnown(number)) {
      get(number); // throws
    }
    free(number);
  }

  private void free(int number) {
    if (isKnown(number)) {
      Transaction transaction = running[number - 1];
      running[number - 1] = null;
      isTaken[number - 1] = false;
      refusals[number - 1] = null;
      if (transaction != null) {
        release(transaction, number - 1);
      }
    }
  }

  /** Counts one loss more than its work had before. */
  private void countLoss(int at) {
    losses = Math.min(losses + retries[at] + 1, MOST_LOSSES);
  }

  private void release(Transaction transaction, int at) {
    if (transaction.isBegun() && !transaction.isRunning()) {
      countLoss(at);
    }
    if (kept == null) {
      transaction.rollback();
      kept = transaction;
      keptUntilNs = deadlinesNs[at];
    } else {
      transaction.close();
    }
  }

  /** Returns whether there are any, so that {@link #advance} has to be called. */
  boolean areAny() {
    if (kept != null) {
      return true;
    }
    for (Transaction each : running) {
      if (each != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns when {@link #advance} has to be called next.
   *
   * @param otherNs when something else is to be done, which is returned if it is earlier; {@code
   *     Long.MAX_VALUE}: never
   */
  long nextNs(long otherNs) {
    long next = kept == null ? otherNs : earlier(keptUntilNs, otherNs);
    for (int i = 0; i < running.length; i++) {
      if (running[i] != null) {
        next = earlier(deadlinesNs[i], next);
      }
    }
    return next;
  }

  private static long earlier(long ns, long otherNs) {
    return otherNs == Long.MAX_VALUE || ns - otherNs < 0 ? ns : otherNs;
  }

  /** Rolls those back that are not over in time, and gives back what was kept for long enough. */
  void advance(long nowNs) {
    if (kept != null && nowNs - keptUntilNs >= 0) {
      kept.close();
      kept = null;
    }
    for (int i = 0; i < running.length; i++) {
      Transaction transaction = running[i];
      if (transaction != null && nowNs - deadlinesNs[i] >= 0) {
        running[i] = null;
        transaction.close();
      }
    }
  }

  /** Rolls all back. */
  @Override
  public void close() {
    for (int i = 0; i < running.length; i++) {
      free(i + 1);
    }
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }
}
