package dev.takt.host;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The requests of one client that are in conflict with running transactions, in their order, and
 * those behind them in the same transaction.
 *
 * <p><b>Thread rule:</b> that of its session.
 *
 * <p><b>Memory:</b> for each request its event or template, counted by {@link HeldBytes}. There are
 * {@value #LIMIT} at most, and for each transaction the request that ends it.
 */
final class DeferredRequests {
  /** So many threads of a client may meet one conflict at once; all are looked at in one turn. */
  static final int LIMIT = 1_024;

  private final HeldBytes held;
  private final List<ClientRequest> all = new ArrayList<>();

  /**
   * Makes a client's, of which there are none yet.
   *
   * @param held where they are counted
   */
  DeferredRequests(HeldBytes held) {
    this.held = held;
  }

  boolean areAny() {
    return !all.isEmpty();
  }

  /** Returns whether a request of a transaction has to wait for one before it. */
  boolean hasOf(int transaction) {
    return transaction != 0 && isBefore(all.size(), transaction);
  }

  private boolean isBefore(int end, int transaction) {
    for (int i = 0; i < end; i++) {
      if (all.get(i).transaction == transaction) {
        return true;
      }
    }
    return false;
  }

  /**
   * Keeps a request. There is always room for the one that ends a transaction: refused, it would
   * leave the transaction running.
   *
   * @throws IllegalStateException if there are too many, or the client has too much, or the
   *     transaction is to end already
   */
  void add(ClientRequest request) {
    if (request.isEnd()) {
      requireNoEnd(request.transaction);
    } else {
      requireRoom(request.bytes);
    }
    held.add(request.bytes);
    all.add(request);
  }

  private void requireRoom(int bytes) {
    if (all.size() >= LIMIT) {
      throw new IllegalStateException(
          "too many requests of one connection are in conflict: limit=%s; ask for less at once"
              .formatted(LIMIT));
    }
    held.require(bytes);
  }

  private void requireNoEnd(int transaction) {
    for (int i = 0; i < all.size(); i++) {
      ClientRequest each = all.get(i);
      if (each.transaction == transaction && each.isEnd()) {
        throw new IllegalStateException(
            "transaction %s is to end already; wait for the answer".formatted(transaction));
      }
    }
  }

  /**
   * Does those again whose conflict is over.
   *
   * @param again does one; returns whether it is not deferred again
   * @param mayDo returns whether there is room for the answer; asked before each
   */
  void advance(long nowNs, Predicate<ClientRequest> again, Predicate<ClientRequest> mayDo) {
    for (int i = 0; i < all.size(); ) {
      ClientRequest each = all.get(i);
      if (!mayDo.test(each)) {
        return;
      }
      boolean isBehind = each.transaction != 0 && isBefore(i, each.transaction);
      if (!isBehind && each.deferral.mayGoOn(nowNs) && again.test(each)) {
        remove(i);
      } else {
        i++;
      }
    }
  }

  private void remove(int at) {
    ClientRequest done = all.remove(at);
    done.deferral.clear();
    held.release(done.bytes);
  }

  /** Forgets all: the client has gone. */
  void clear() {
    while (!all.isEmpty()) {
      remove(all.size() - 1);
    }
  }
}
