package dev.takt.testkit.net;

import dev.takt.session.Suspension;
import dev.takt.testkit.net.NetworkEvent.Kind;
import java.net.SocketException;

/**
 * One end of a connection: whether it is open, and what the network does to it.
 *
 * <p><b>Thread rule.</b> That of the network.
 */
final class SimulatedEnd {
  private static final int FIRST_CLIENT_PORT = 32_768;
  private static final int CLIENT_PORTS = 28_000;

  private final SimulatedNetwork network;
  private final int connection;
  private final String name;
  private final boolean slow;

  private SimulatedEnd peer;
  private BytePipe in;
  private BytePipe out;

  /** When this end learns that the connection is lost. */
  private long resetNs = Suspension.FOR_EVER_NS;

  /** From when on what this end sends does not arrive. */
  private long silentNs = Suspension.FOR_EVER_NS;

  /** When the peer can know that this end is closed. */
  private long closedKnownNs = Suspension.FOR_EVER_NS;

  private boolean closed;
  private boolean inputShut;
  private boolean resetNoted;

  private SimulatedEnd(SimulatedNetwork network, int connection, String name, boolean slow) {
    this.network = network;
    this.connection = connection;
    this.name = name;
    this.slow = slow;
  }

  /** Makes two connected ends; returns the client's. */
  static SimulatedEnd connect(SimulatedNetwork network, int connection) {
    SimulatedEnd client = new SimulatedEnd(network, connection, "client", network.isSlowReader());
    SimulatedEnd server = new SimulatedEnd(network, connection, "server", network.isSlowReader());
    client.peer = server;
    server.peer = client;
    client.out = new BytePipe(network, client, server);
    client.in = new BytePipe(network, server, client);
    server.out = client.in;
    server.in = client.out;
    return client;
  }

  SimulatedEnd peer() {
    return peer;
  }

  BytePipe in() {
    return in;
  }

  BytePipe out() {
    return out;
  }

  boolean isSlow() {
    return slow;
  }

  int connection() {
    return connection;
  }

  /** Returns the port that a client of the operating system would have. */
  int clientPort() {
    return FIRST_CLIENT_PORT + connection % CLIENT_PORTS;
  }

  // ---- what happens to it

  /** Both ends learn at a time that the connection is lost; what is then unread is lost. */
  void loseAt(long timeNs) {
    resetNs = Math.min(resetNs, timeNs);
    peer.resetNs = Math.min(peer.resetNs, timeNs);
    in.wakeBoth();
    out.wakeBoth();
  }

  /** From a time on nothing arrives any more, at neither end. */
  void silenceAt(long timeNs) {
    if (timeNs < silentNs) {
      network.noteSilence(this, timeNs);
    }
    silentNs = Math.min(silentNs, timeNs);
    peer.silentNs = Math.min(peer.silentNs, timeNs);
    in.silence(timeNs);
    out.silence(timeNs);
  }

  /** Tells this end at a time that its peer knows nothing of the connection. */
  void reset(long timeNs) {
    resetNs = Math.min(resetNs, timeNs);
    in.wakeBoth();
    out.wakeBoth();
  }

  void shutOutput() {
    if (!closed) {
      network.note(Kind.HALF_CLOSED, this, 0);
      out.end();
    }
  }

  void shutInput() {
    inputShut = true;
    in.wakeBoth();
  }

  boolean isInputShut() {
    return inputShut;
  }

  /**
   * Closes this end. The other one reads what was written before, unless this end has left
   * something unread: then the other one is told that the connection is lost, as TCP does.
   */
  void close() {
    if (!closed) {
      closed = true;
      network.note(Kind.CLOSED, this, 0);
      long knownNs = network.arrivalNs(0);
      if (knownNs < silentNs) {
        closedKnownNs = knownNs;
        if (in.hasUnread() && resetNs > network.nanoTime()) {
          peer.reset(knownNs);
        }
      }
      out.end();
      in.wakeBoth();
    }
  }

  /** Closes this end so that the other one is told that the connection is lost. */
  void abort() {
    if (!closed) {
      closed = true;
      network.note(Kind.CLOSED, this, 0);
      long knownNs = network.arrivalNs(0);
      if (knownNs < silentNs) {
        peer.reset(knownNs);
      } else {
        network.note(Kind.SILENCED, this, 0);
      }
      in.wakeBoth();
      out.wakeBoth();
    }
  }

  // ---- what is seen of it

  /** Throws if this end is closed, or has learned that the connection is lost. */
  void requireOpen() throws SocketException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
    if (resetNs <= network.nanoTime()) {
      if (!resetNoted) {
        resetNoted = true;
        network.note(Kind.RESET, this, 0);
        in.lose();
      }
      throw new SocketException("Connection reset (connection %d)".formatted(connection));
    }
  }

  /** When, at the earliest, {@link #requireOpen} or what the peer allows changes by itself. */
  long nextChangeNs() {
    long nowNs = network.nanoTime();
    long knownNs = peer.closedKnownNs;
    return Math.min(resetNs, knownNs <= nowNs ? Suspension.FOR_EVER_NS : knownNs);
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether the peer can know that this end is closed. */
  boolean isKnownToBeClosed() {
    return closedKnownNs <= network.nanoTime();
  }

  long silentNs() {
    return silentNs;
  }

  @Override
  public String toString() {
    return name;
  }
}
