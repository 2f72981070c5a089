package dev.takt.session;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose waits are those of a {@link ConnectionPoller}.
 *
 * <p><b>Guarantees.</b> As the streams of a socket. What comes is read as {@link PolledInput} says.
 * A write sends by itself; only when there is no room, it waits for the poller to tell that there
 * is some. {@link #close} ends whatever waits. It gets its poller with its first wait, so one that
 * never waits costs none.
 *
 * <p><b>Thread rule.</b> Any thread; of several readers, and of several writers, one after the
 * other goes on. {@link #ready} and {@link #fail} are for the poller.
 *
 * <p><b>Memory.</b> Some 130 bytes beside the channel and its key.
 */
final class PolledConnection extends PolledInput {
  /** Where a writer waits for room, one after the other. */
  private final class Room extends SocketWait {
    private volatile boolean isThere;

    @Override
    boolean isOver() {
      return isThere || isClosed;
    }
  }

  /** The JDK copies what it writes from an array, into a buffer that each carrier keeps. */
  private static final int MAX_WRITE_BYTES = 1 << 17;

  private final SocketChannel channel;
  private final ConnectionPollers pollers;
  private final Room room = new Room();

  /** Set once, with the first wait. */
  private volatile ConnectionPoller.@Nullable Registration registration;

  private volatile boolean isInputShut;

  /** Why it was closed if nobody asked for that. */
  private volatile @Nullable Throwable closedFor;

  /**
   * Takes a connection.
   *
   * @param channel of a connection that does not block
   */
  PolledConnection(SocketChannel channel, ConnectionPollers pollers) {
    this.channel = channel;
    this.pollers = pollers;
  }

  SocketChannel channel() {
    return channel;
  }

  // ---- reading

  @Override
  int read(byte[] bytes, int from, int length, int timeoutMs) throws IOException {
    if (isInputShut && !isClosed) {
      return -1; // as of a socket: what has come before is not read either
    }
    try {
      return super.read(bytes, from, length, timeoutMs);
    } catch (SocketException failure) {
      throw isClosed ? closed(failure) : failure;
    }
  }

  @Override
  byte @Nullable [] readArray(int mostBytes, int timeoutMs) throws IOException {
    if (isInputShut) {
      return null;
    }
    try {
      return super.readArray(mostBytes, timeoutMs);
    } catch (SocketException failure) {
      throw isClosed ? closed(failure) : failure;
    }
  }

  @Override
  int readNow(ByteBuffer bytes) throws IOException {
    try {
      return channel.read(bytes);
    } catch (IOException failure) {
      throw asOfSockets(failure);
    }
  }

  @Override
  int available() throws IOException {
    return isInputShut ? 0 : super.available();
  }

  /** By the channel's own view as a socket: the system tells it, and no byte is read. */
  @Override
  int sourceAvailable() throws IOException {
    try {
      return channel.socket().getInputStream().available();
    } catch (IOException failure) {
      throw asOfSockets(failure);
    }
  }

  @Override
  void arm() throws SocketException {
    listen(SelectionKey.OP_READ);
  }

  @Override
  void disarm() {
    registered().ignore(SelectionKey.OP_READ);
  }

  // ---- writing

  /** Writes all of some bytes; waits for room. */
  void write(byte[] bytes, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    synchronized (room) {
      ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
      int end = from + length;
      while (left.position() < end) {
        left.limit(Math.min(end, left.position() + MAX_WRITE_BYTES));
        send(left);
        if (left.hasRemaining()) {
          awaitRoom();
        }
      }
    }
  }

  /** Writes as much as there is room for, and returns how much; waits for another writer alone. */
  int writeNow(byte[] bytes) throws IOException {
    synchronized (room) {
      ByteBuffer left = ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, MAX_WRITE_BYTES));
      send(left);
      return left.position();
    }
  }

  private void send(ByteBuffer bytes) throws SocketException {
    try {
      channel.write(bytes);
    } catch (IOException failure) {
      throw asOfSockets(failure);
    }
  }

  private void awaitRoom() throws IOException {
    room.isThere = false; // before the poller can be told
    listen(SelectionKey.OP_WRITE);
    room.await(Suspension.FOR_EVER_NS);
  }

  // ---- the poller

  private void listen(int operations) throws SocketException {
    try {
      ConnectionPoller.Registration own = registration;
      (own == null ? register() : own).listen(operations);
    } catch (IOException | CancelledKeyException failure) {
      // who closes may not have seen that it is registered: the poller then lets go of it now
      ConnectionPoller.Registration own = registration;
      if (own != null) {
        own.letGo();
      }
      throw asOfSockets(failure);
    }
  }

  /** Of a reader and a writer that wait for the first time, one registers. */
  private ConnectionPoller.Registration register() throws IOException {
    synchronized (channel) {
      ConnectionPoller.Registration own = registration;
      if (own == null) {
        own = pollers.register(this);
        registration = own;
      }
      return own;
    }
  }

  private ConnectionPoller.Registration registered() {
    return Objects.requireNonNull(registration, "registered: it is armed");
  }

  /**
   * Does what can be done.
   *
   * @param operations those that are ready
   * @param bytes to read into
   */
  void ready(int operations, ByteBuffer bytes) throws IOException {
    if ((operations & SelectionKey.OP_WRITE) != 0) {
      registered().ignore(SelectionKey.OP_WRITE);
      room.isThere = true;
      room.signal();
    }
    if ((operations & SelectionKey.OP_READ) != 0) {
      poll(bytes);
    }
  }

  // ---- the end

  void shutdownInput() throws IOException {
    isInputShut = true;
    channel.shutdownInput();
  }

  void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  /** Closes it for a reason that who reads and writes is told. */
  void fail(Throwable reason) {
    if (!isClosed) {
      closedFor = reason;
    }
    try {
      close(); // again, too: memory may have been missing for a part of it
    } catch (IOException _) {
      // it is of no use any more in any case
    }
  }

  /** Closes it; the other end reads to the end of what was written. */
  void close() throws IOException {
    isClosed = true;
    try {
      channel.close();
    } finally {
      ConnectionPoller.Registration own = registration;
      if (own != null) {
        own.letGo();
      }
      signal();
      room.signal();
    }
  }

  /** Returns a failure as the JDK's sockets have it, whose protocols may depend on it. */
  private SocketException asOfSockets(Exception failure) {
    if (isClosed) {
      return closed(failure);
    }
    if (failure instanceof SocketException known) {
      return known;
    }
    String message =
        failure instanceof ClosedChannelException
            ? "Broken pipe"
            : Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    return new SocketException(message, failure);
  }

  private SocketException closed(Exception failure) {
    Throwable reason = closedFor;
    return new SocketException("Socket closed", reason == null ? failure : reason);
  }
}
