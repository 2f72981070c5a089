package dev.takt.bench.outrigger;

import java.rmi.RemoteException;
import java.util.HashMap;
import java.util.Map;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;

/**
 * The least that Outrigger needs to run transactions: one participant each, no log, no leases, in
 * this JVM. River's own manager does not start on a current JDK, and would be slower; this favours
 * the peer.
 */
final class LocalTransactionManager implements TransactionManager {
  private final Map<Long, TransactionParticipant> participants = new HashMap<>();
  private long last;

  /** Begins a transaction. */
  ServerTransaction begin() {
    return new ServerTransaction(this, create(Lease.FOREVER).id);
  }

  @Override
  public synchronized Created create(long leaseMs) {
    participants.put(++last, null);
    return new Created(last, null);
  }

  @Override
  public synchronized void join(long id, TransactionParticipant participant, long crashCount)
      throws UnknownTransactionException {
    known(id);
    participants.put(id, participant);
  }

  @Override
  public synchronized int getState(long id) throws UnknownTransactionException {
    known(id);
    return ACTIVE;
  }

  @Override
  public void commit(long id)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    TransactionParticipant participant = end(id);
    if (participant != null && participant.prepareAndCommit(this, id) == ABORTED) {
      throw new CannotCommitException("the participant aborted transaction " + id);
    }
  }

  @Override
  public void commit(long id, long waitMs)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    commit(id);
  }

  @Override
  public void abort(long id) throws UnknownTransactionException, RemoteException {
    TransactionParticipant participant = end(id);
    if (participant != null) {
      participant.abort(this, id);
    }
  }

  @Override
  public void abort(long id, long waitMs) throws UnknownTransactionException, RemoteException {
    abort(id);
  }

  /**
   * The participant is called without this object's lock: it may ask for the state from another
   * thread.
   */
  private synchronized TransactionParticipant end(long id) throws UnknownTransactionException {
    known(id);
    return participants.remove(id);
  }

  private void known(long id) throws UnknownTransactionException {
    if (!participants.containsKey(id)) {
      throw new UnknownTransactionException("no transaction " + id + " is running");
    }
  }
}
