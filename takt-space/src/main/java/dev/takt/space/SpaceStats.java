package dev.takt.space;

/**
 * A look at the counters of a space, not atomic while others work. Transactions that were only
 * tried out ({@link Transaction#rehearse}), as the warm-up of tasks does, are not counted.
 *
 * @param events the events in the space, committed or being written
 * @param subscriptions the subscriptions
 * @param commits the transactions committed so far
 * @param conflicts the transactions that lost against another so far
 * @param aborts the transactions that ended for another reason so far
 */
public record SpaceStats(int events, int subscriptions, long commits, long conflicts, long aborts) {

  static SpaceStats of(TransactionTable descriptors, int subscriptions) {
    long commits = 0;
    long conflicts = 0;
    long aborts = 0;
    long events = 0;
    for (int owner = descriptors.highest(); owner >= 0; owner--) {
      Transaction transaction = descriptors.transaction(owner);
      if (transaction != null) {
        commits += transaction.commits;
        conflicts += transaction.conflicts;
        aborts += transaction.aborts;
        events += transaction.allocated - transaction.freed;
      }
    }
    return new SpaceStats((int) Math.max(0, events), subscriptions, commits, conflicts, aborts);
  }
}
