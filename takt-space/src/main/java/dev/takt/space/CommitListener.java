package dev.takt.space;

/**
 * Learns of each transaction that commits, and of each single operation: the seam for journals and
 * replicas. See {@link Commits}.
 *
 * <p>Called once for each transaction that has written or taken events, after its commit and before
 * its {@code commit} returns, before subscribers are notified, and before what it has taken is
 * freed. As a rule the committing thread calls; if an error has cut that off, the thread that
 * clears up. Several threads call at once, and not in the order of the commits: an event may be
 * reported as taken before the transaction that has written it is reported. The numbers of the
 * events tell what belongs together.
 *
 * <p>It must not use the space. The transaction is committed, whatever it does: what it throws goes
 * to the thread's handler of uncaught exceptions.
 */
@FunctionalInterface
public interface CommitListener {
  /** Takes notice of a commit, which is valid until this method returns. */
  void onCommit(Commit commit);
}
