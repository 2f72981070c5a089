package dev.takt.session;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ConcurrentModificationException;
import java.util.function.Consumer;

/**
 * Waits for many connections at once, reads what comes by them, and wakes those who wait for it.
 *
 * <p><b>Purpose.</b> See the package, connections that clients open.
 *
 * <p><b>Guarantees.</b> It runs on a virtual thread, and keeps no carrier while nothing comes: the
 * JDK parks a virtual thread that selects. When much comes, sessions run after each look, and for a
 * moment in ten milliseconds it does not look at all: a virtual thread that only yields goes behind
 * those of its own carrier, and while they have work, nobody takes up whom another thread has
 * woken. What goes wrong with one connection closes that one. If it cannot go on, it closes all of
 * its connections, each of which tells why.
 *
 * <p><b>Thread rule.</b> {@link #run} is for its thread, {@link #register} for one thread at a
 * time, {@link #look} for any.
 *
 * <p><b>Memory.</b> A selector, and 8 KB outside of the heap to read into.
 */
final class ConnectionPoller {
  /**
   * One connection's place.
   *
   * @param poller who looks at it
   * @param key which operations it looks for
   */
  record Registration(ConnectionPoller poller, SelectionKey key) {
    /** Lets the poller look for more. */
    void listen(int operations) {
      key.interestOpsOr(operations);
      poller.look();
    }

    /** Lets the poller look for less; is for its thread. */
    void ignore(int operations) {
      key.interestOpsAnd(~operations);
    }

    /** Lets the poller see that the connection is closed, which the system does only then. */
    void letGo() {
      poller.look();
    }
  }

  /** The most that is read of a connection at once, and is kept until its reader takes it. */
  static final int ROOM_BYTES = 8_192;

  /**
   * After so many the sessions run that it has woken: what the system and the session have of a
   * connection is then still in the cache.
   */
  private static final int BATCH = 32;

  /** For how long it looks without a pause while it always finds several. */
  private static final long TURN_NS = 10_000_000;

  private final ConnectionPollers owner;
  private final Selector selector;
  private final ByteBuffer room = ByteBuffer.allocateDirect(ROOM_BYTES);

  private int served;

  // who changes what it is to look for tells that, and then wakes it if it sleeps; it forgets what
  // it was told and then looks, tells that it sleeps, and sleeps if it was told nothing meanwhile
  private volatile boolean isTold;
  private volatile boolean isAsleep;

  ConnectionPoller(ConnectionPollers owner) throws IOException {
    this.owner = owner;
    selector = Selector.open();
  }

  // ---- its thread

  /** Looks until nobody needs it any more. */
  void run() {
    try {
      lookWhileNeeded();
      discard();
    } catch (Throwable failure) {
      end(failure);
    }
  }

  private void lookWhileNeeded() throws IOException, InterruptedException {
    Suspension here = Suspension.current();
    Consumer<SelectionKey> serve = key -> serve(key, here);
    long turnNs = here.nanoTime();
    int found = 0;
    while (true) {
      isTold = false;
      found = found > 1 ? selector.selectNow(serve) : 0; // after one alone there is none as a rule
      if (found == 0) {
        if (!isNeeded(serve)) {
          return;
        }
        found = sleep(serve);
        turnNs = here.nanoTime();
      } else if (here.nanoTime() - turnNs >= TURN_NS) {
        here.await(1);
        turnNs = here.nanoTime();
      }
      if (found > 1) {
        here.pause();
      }
    }
  }

  private boolean isNeeded(Consumer<SelectionKey> serve) throws IOException {
    if (owner.isClosed()) {
      selector.selectNow(serve); // so that it knows which connections are closed
    }
    return owner.needs(this);
  }

  /** Waits until something comes, or it is told; returns of how many connections. */
  private int sleep(Consumer<SelectionKey> serve) throws IOException, InterruptedException {
    isAsleep = true;
    int found = isTold ? 0 : selector.select(serve);
    isAsleep = false;
    if (Thread.interrupted()) { // by nobody; and no selection would wait any more
      throw new InterruptedException();
    }
    return found;
  }

  /** Serves one that is ready, and lets sessions run after some of them. */
  private void serve(SelectionKey key, Suspension here) {
    PolledConnection connection = (PolledConnection) key.attachment();
    try {
      connection.ready(key.readyOps(), room);
    } catch (CancelledKeyException _) {
      // it was closed meanwhile; who waited has been told
    } catch (Throwable ofOne) {
      connection.fail(ofOne);
    }
    served++;
    if (served % BATCH == 0) {
      here.pause();
    }
  }

  private void end(Throwable failure) {
    owner.remove(this);
    try {
      while (!failAll(failure)) {
        Thread.onSpinWait();
      }
    } finally {
      discard();
    }
    System.getLogger(Sessions.LOG) // last: it may fail as well
        .log(Level.WARNING, "a poller has failed; its connections are closed", failure);
  }

  /** Returns false if memory was missing for that: then it is to be done again. */
  private boolean failAll(Throwable failure) {
    try {
      for (SelectionKey each : selector.keys()) {
        ((PolledConnection) each.attachment()).fail(failure);
      }
      return true;
    } catch (OutOfMemoryError | ConcurrentModificationException again) {
      return false; // or one that knew this poller has registered meanwhile
    }
  }

  // ---- others

  /** Gives back what it has; is for its thread, or if it gets none. */
  void discard() {
    try {
      selector.close();
    } catch (IOException _) {
      // nothing more can be done
    }
  }

  /** Takes a connection, for which it does not look yet. */
  Registration register(PolledConnection connection) throws IOException {
    return new Registration(this, connection.channel().register(selector, 0, connection));
  }

  /** Returns whether it has connections, closed ones included that it has not seen to be so. */
  boolean hasConnections() {
    return !selector.keys().isEmpty();
  }

  /** Lets it look again at what it is to look for, and whether it is needed. */
  void look() {
    isTold = true;
    if (isAsleep) {
      selector.wakeup();
    }
  }
}
