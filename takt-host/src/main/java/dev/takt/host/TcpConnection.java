package dev.takt.host;

import dev.takt.client.KeepAlive;
import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageLength;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireLimits;
import dev.takt.session.CarrierTurn;
import dev.takt.session.SocketTransport;
import dev.takt.session.WaitLimit;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client by TCP.
 *
 * <p>Its reader handles each message and sends the answers when no further message is there. Its
 * teller sleeps until the session is due or something ends by time. Both send under the lock, and
 * wait there while the client does not read: nobody else comes to that lock, commits only wake the
 * teller, and {@link TcpOutbox} rolls back by time meanwhile.
 */
final class TcpConnection {
  private static final WaitClock CLOCK = WaitClock.system();
  private static final Logger LOG = System.getLogger(TcpConnection.class.getName());
  private static final int HEADER_BYTES = MessageLength.LEAST_BYTES;
  private static final int FIRST_BYTES = 512;
  static final int KEPT_BYTES = HeldBytes.SHORT_BYTES;

  private static final String SEND_LESS = "TcpLimits.maxIncomingBytes; send less in one";
  private static final String CUT = "the link has ended within a message";
  private static final long LOOK_NS = 1_000_000;
  private static final long PUT_BACK_NS = 10_000_000;

  /** Nothing larger is a HELLO. */
  private static final WireLimits OF_HELLO = WireLimits.DEFAULTS.withMaxMessageBytes(FIRST_BYTES);

  /** Reads from the socket; returns whether all of it was there. */
  private interface Reading {
    boolean run() throws IOException;
  }

  private final TcpServer server;
  private final Socket connection;
  private final InputStream in;
  private final TcpOutbox outbox;
  private final IdleTime idle;
  private final WaitLimit idleLimit;
  private final WaitLimit messageLimit;

  // ---- of the reader

  private byte[] buffer = new byte[FIRST_BYTES];
  private int from;
  private int to;
  private int maxMessageBytes = FIRST_BYTES;
  private boolean isGreeted;

  // ---- under the lock

  private final ReentrantLock lock = new ReentrantLock();

  /** Whether the server ends the connection. */
  private volatile boolean isEnding;

  /** Whether the reader has left. */
  private volatile boolean isOver;

  private volatile @Nullable Thread teller;

  /** When the teller looks next. */
  private volatile long tellNs = Long.MAX_VALUE;

  TcpConnection(TcpServer server, Socket connection, Socket bytes) throws IOException {
    this.server = server;
    this.connection = connection;
    in = bytes.getInputStream();
    outbox =
        new TcpOutbox(
            bytes, server.outgoing, server.limits.writeNs(), this::closeNow, this::cutOff);
    idle = new IdleTime(server.limits.idleNs(), CLOCK.nanoTime());
    idleLimit = new WaitLimit(server.limits.idleNs(), this::closeNow);
    idleLimit.excuse(idle);
    messageLimit = new WaitLimit(server.limits.messageNs(), this::closeNow);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    KeepAlive.begin(connection.supportedOptions(), connection::setOption);
  }

  // ---- the reader

  /** Serves the client until it leaves or is cut off. */
  void serve() {
    try {
      int length = nextMessage();
      if (length > 0) {
        ClientAccount account = admit(length);
        ClientSession session;
        try {
          session = new ClientSession(server.space, account, outbox, this::wake);
          outbox.rollBackBy(session::rollBackLate);
        } catch (Throwable failure) {
          account.leave();
          throw failure;
        }
        serve(session, account, length);
      }
    } catch (IOException | SecurityException e) {
      if (!isEnding) {
        server.cutOff.incrementAndGet();
        LOG.log(Level.DEBUG, () -> "a client is cut off: " + connection, e);
      }
    } catch (RuntimeException | Error e) {
      logFault(e);
    } finally {
      idleLimit.close();
      messageLimit.close();
      outbox.close();
    }
  }

  private ClientAccount admit(int length) throws IOException {
    MessageReader reader = new MessageReader(OF_HELLO);
    reader.begin(MemorySegment.ofArray(buffer), from, length);
    if (reader.kind() != MessageKind.HELLO) {
      throw reader.wrongKind(MessageKind.HELLO);
    }
    reader.maxMessageBytes();
    UUID named = reader.client();
    try {
      ClientAccount account = server.accounts.find(reader.token());
      enter(account, named);
      return account;
    } catch (SecurityException refused) {
      MessageWriter writer = new MessageWriter(OF_HELLO);
      writer.refusal(Operation.NONE, 0, Refusal.FORBIDDEN, String.valueOf(refused.getMessage()));
      outbox.send(writer.segment(), writer.length());
      outbox.flush();
      throw refused;
    }
  }

  /** Counts the connection; a client that comes again gets the place of its link before. */
  private void enter(ClientAccount account, @Nullable UUID client) {
    long beginNs = CLOCK.nanoTime();
    while (client != null && !isEnding) {
      long ns = CLOCK.nanoTime() - beginNs;
      // looked for first: its link before leaves the account, and then these
      boolean isThere = account.clients().isPresent(client, ns >= ReturningClient.LEAVE_NS);
      if (account.tryEnter()) {
        return;
      }
      if (!isThere || ns >= server.limits.messageNs()) {
        break;
      }
      CLOCK.parkNanos(LOOK_NS);
    }
    account.enter();
  }

  private void serve(ClientSession session, ClientAccount account, int first) throws IOException {
    isGreeted = true;
    maxMessageBytes = account.rights().limits().wire().maxMessageBytes();
    try {
      startTeller(session);
      CarrierTurn turn = new CarrierTurn();
      for (int length = first; length > 0 && !isEnding; length = nextMessage()) {
        delay(account);
        if (length <= KEPT_BYTES) {
          handle(session, null, length);
        } else {
          handleLong(session, length);
        }
        if (turn.isOver()) {
          turn.next(from < to || connection.getInputStream().available() > 0);
        }
      }
    } finally {
      isOver = true;
      wake();
      leave(session, account);
    }
  }

  private void startTeller(ClientSession session) throws IOException {
    try {
      server.sessions.start(
          "teller of " + connection,
          () -> {
            tell(session);
            return null;
          });
    } catch (RejectedExecutionException full) {
      throw new IOException("no session is left, TcpLimits.maxConnections", full);
    }
  }

  private static void delay(ClientAccount account) {
    long delayNs = account.delayNs(CLOCK.nanoTime());
    if (delayNs > 0) {
      CLOCK.parkNanos(delayNs);
    }
  }

  /** Handles a message of the buffer, or one that is elsewhere. */
  private void handle(ClientSession session, @Nullable MessageBuffer whole, int length)
      throws IOException {
    lock.lock();
    try {
      long nowNs = CLOCK.nanoTime();
      if (whole == null) {
        int at = from;
        from += length;
        session.handle(MemorySegment.ofArray(buffer).asSlice(at, length), length, nowNs);
      } else {
        outbox.setLong();
        session.handle(whole, length, CLOCK::nanoTime);
      }
      idle.look(session, nowNs);
      if (!isWhole(from)) {
        outbox.flush();
      }
      letGo(session);
      outbox.requireGoingOn();
      long nextNs = session.nextNs(nowNs);
      if (nextNs != Long.MAX_VALUE && (tellNs == Long.MAX_VALUE || nextNs - tellNs < 0)) {
        wake();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Handles a message that is longer than what is kept of it, if there is room for it; if not, it
   * is refused, and passed over as it comes.
   */
  private void handleLong(ClientSession session, int length) throws IOException {
    HeldBytes incoming = server.incoming;
    if (!incoming.tryAdd(0, length)) {
      String what = "a message of %s bytes".formatted(length);
      refuse(session, length, incoming.noRoom(what, 0, SEND_LESS));
      return;
    }
    try {
      MessageBuffer whole = new MessageBuffer(length);
      takeRest(whole, length);
      handle(session, whole, length);
    } finally {
      incoming.release(length);
    }
  }

  private void takeRest(MessageBuffer whole, int length) throws IOException {
    byte[] into = (byte[]) whole.segment().heapBase().orElseThrow();
    int count = to - from;
    System.arraycopy(buffer, from, into, 0, count);
    from = 0;
    to = 0;
    int left = length - count;
    if (!within(messageLimit, () -> in.readNBytes(into, count, left) == left)) {
      throw new IOException(CUT);
    }
  }

  private void refuse(ClientSession session, int length, String why) throws IOException {
    MessageLength.set(buffer, from, KEPT_BYTES);
    lock.lock();
    try {
      MemorySegment beginning = MemorySegment.ofArray(buffer).asSlice(from, KEPT_BYTES);
      session.refuse(beginning, new IllegalStateException(why));
      outbox.flush();
      outbox.requireGoingOn();
    } finally {
      lock.unlock();
    }
    int left = length - (to - from);
    from = 0;
    to = 0;
    within(
        messageLimit,
        () -> {
          in.skipNBytes(left);
          return true;
        });
  }

  /** Lets go of what a long message has left, in either direction; under the lock. */
  private void letGo(ClientSession session) {
    if (outbox.wasLong()) {
      session.letGo();
    }
  }

  private void leave(ClientSession session, ClientAccount account) {
    lock.lock();
    try {
      session.close();
    } finally {
      lock.unlock();
      account.leave(); // before its outcomes, see enter
    }
    while (!session.putBack()) { // nobody else comes to it any more
      closeNow(); // the client need not wait for room that others make
      CLOCK.parkNanos(PUT_BACK_NS);
      if (Thread.interrupted()) {
        LOG.log(Level.WARNING, "the space is full: what a client had taken is lost");
        return;
      }
    }
  }

  /** Returns the length of the next message when it is whole, or 0 at the end of the link. */
  private int nextMessage() throws IOException {
    if (!await(HEADER_BYTES)) {
      return 0;
    }
    int length = lengthAt(from);
    if (length < HEADER_BYTES || length > maxMessageBytes) {
      throw new IOException(
          "a message of %s bytes (expected: %s to %s, WireLimits.maxMessageBytes)"
              .formatted(Integer.toUnsignedString(length), HEADER_BYTES, maxMessageBytes));
    }
    await(Math.min(length, KEPT_BYTES)); // of a longer one the rest needs room elsewhere
    return length;
  }

  private int lengthAt(int at) {
    return MessageLength.of(buffer, at);
  }

  private boolean isWhole(int at) {
    return to - at >= HEADER_BYTES && to - at >= (lengthAt(at) & 0xFFFF_FFFFL);
  }

  /** Reads until so many bytes are there; false if the link has ended between messages. */
  private boolean await(int bytes) throws IOException {
    if (to - from >= bytes) {
      return true;
    }
    makeRoom(bytes);
    if (from == to && isGreeted && !read(idleLimit, 1)) {
      return false;
    }
    boolean isThere = to - from >= bytes || read(messageLimit, bytes);
    if (!isThere && from < to) {
      throw new IOException(CUT);
    }
    return isThere;
  }

  private boolean read(WaitLimit limit, int bytes) throws IOException {
    return within(
        limit,
        () -> {
          int count = 0;
          while (to - from < bytes && count >= 0) {
            count = in.read(buffer, to, buffer.length - to);
            to += Math.max(0, count);
          }
          return count >= 0;
        });
  }

  /** Reads for a time; returns what the reading does. */
  private static boolean within(WaitLimit limit, Reading reading) throws IOException {
    limit.begin();
    try {
      return reading.run();
    } catch (IOException e) {
      throw limit.isExceeded()
          ? new SocketTimeoutException("no whole message in time, TcpLimits")
          : e;
    } finally {
      limit.end();
    }
  }

  private void makeRoom(int bytes) {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    if (bytes > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.clamp(2L * buffer.length, bytes, KEPT_BYTES));
    }
  }

  // ---- the teller

  private void wake() {
    Thread asleep = teller;
    if (asleep != null) {
      CLOCK.unpark(asleep);
    }
  }

  private void tell(ClientSession session) {
    teller = Thread.currentThread();
    try {
      tellAll(session);
    } catch (RuntimeException | Error e) {
      logFault(e); // whoever started this session does not look how it ends
    } finally {
      if (isEnding) {
        lock.lock();
        endHeld();
      } else if (!isOver) {
        closeNow(); // ends the reader
      }
    }
  }

  private static void logFault(Throwable fault) {
    LOG.log(Level.ERROR, "a client has met a fault of the host and is cut off", fault);
  }

  private void tellAll(ClientSession session) {
    while (!isOver && !isEnding && outbox.hasRoom()) {
      long nowNs = CLOCK.nanoTime();
      lock.lock();
      try {
        if (isOver) {
          break; // the reader puts back, without the lock
        }
        if (session.isDue() || (tellNs != Long.MAX_VALUE && nowNs - tellNs >= 0)) {
          session.advance(nowNs);
          idle.look(session, nowNs);
          outbox.flush();
          letGo(session);
        }
        tellNs = session.nextNs(nowNs);
      } finally {
        lock.unlock();
      }
      if (!session.isDue() && !isOver) {
        if (tellNs == Long.MAX_VALUE) {
          CLOCK.parkNanos(WaitClock.FOR_EVER_NS);
        } else {
          CLOCK.parkNanos(tellNs - nowNs);
        }
      }
      if (Thread.interrupted()) {
        break;
      }
    }
  }

  // ---- the end

  /** Ends the connection; if something is being answered, the teller ends it after that. */
  void end() {
    isEnding = true;
    wake();
    if (lock.tryLock()) {
      endHeld();
    }
  }

  /** Ends the connection and lets go of the lock. */
  private void endHeld() {
    try {
      outbox.flush();
      outbox.sayGoodbye();
    } finally {
      lock.unlock();
    }
    closeNow();
  }

  private void cutOff() {
    isEnding = true;
    closeNow();
  }

  private void closeNow() {
    SocketTransport.closeQuietly(connection);
  }

  @Override
  public String toString() {
    return "client at " + connection.getRemoteSocketAddress();
  }
}
