package dev.takt.session;

import dev.takt.realtime.internal.Ranges;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.function.LongUnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection over TCP, or TLS on TCP, by the blocking calls of {@link Socket}.
 *
 * <p><b>Guarantees.</b> As {@link Transport}. A line that the other end has not ended is an
 * exception, not a line. No call waits longer than its time of the settings: a write that has no
 * room within it closes the connection, since a part of its line may have been sent, and so does a
 * read that is idle for too long; one that {@link TransportSettings#readTimeout} has ended can be
 * repeated. A session to which lines come as fast as it handles them lets others run once in a
 * millisecond, see {@link CarrierTurn}. No more than {@link TransportSettings#maxLineBytes} bytes
 * of a line are kept; after a longer one the connection is closed, or, where {@link #limitLines}
 * has set the limit, nothing more is read, so that the server can say why before it closes. What
 * was written before {@link #close} is read by the other end, unless this end has left something
 * unread: then TCP resets the connection.
 *
 * <p><b>Thread rule.</b> As {@link Transport}. A session that is cancelled while it reads or writes
 * loses the connection; a platform thread is not woken by an interrupt, but at one of the first
 * connections of a {@link TransportServer}, which are channels: these an interrupt closes. By TLS a
 * read that can be repeated closes the connection after twice its time, for records that trickle.
 *
 * <p><b>Memory.</b> What has come of a line, in an array of 512 bytes at least, which grows up to
 * the longest line; where a poller of a {@link TransportServer} reads, none until a line comes in
 * two pieces, or more than 512 bytes at once. What the JDK needs for a socket, of TLS some 50 KB.
 *
 * {@snippet :
 * try (Transport transport = SocketTransport.connect(address, TransportSettings.DEFAULTS)) {
 *   transport.writeLine("HELO example.org");
 *   String answer = transport.readLine();
 * }
 * }
 */
public final class SocketTransport implements Transport {
  private static final int IGNORED_BYTES = 512;
  private static final long GOODBYE_NS = 1_000_000_000;

  private static final WaitLimit NO_LIMIT = new WaitLimit(0, () -> {});

  /** What a server speaks, whatever the JVM would allow. */
  private static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};

  /** What bytes pass through: the connection itself, or TLS on it. */
  private final Socket socket;

  /** The connection: closing it ends every wait, also of TLS. */
  private final Socket connection;

  private final TransportSettings settings;

  /** How long a read waits that can be repeated, by the timeout of the socket; or zero. */
  private final long repeatableNs;

  private final InputStream in;
  private final OutputStream out;

  /** What comes by the connection: TLS on it, or what is read. */
  private final InputStream arriving;

  // ---- of the reader

  private final LineBuffer lines = new LineBuffer();
  private final CarrierTurn turn = new CarrierTurn();

  /** Whether the first turn has begun: with the first read. */
  private boolean hasTurn;

  /** Whether nothing was read: then the other end may have sent what TLS keeps to itself. */
  private volatile boolean isUnread = true;

  /** Of a line that closes the connection when it does not come. */
  private final WaitLimit idleLimit;

  /** Of a line without which a read ends that can be repeated, where a poller reads. */
  private final WaitLimit repeatLimit;

  private int maxReadBytes;

  /** Of a line that came as the time for it was over, which the next read is to tell; or null. */
  private @Nullable WaitLimit cameLate;

  /** Of a line that has begun to come. */
  private @Nullable WaitLimit lineLimit;

  /** Whether {@link #limitLines} has set the limit: then the other end is told why. */
  private boolean isServing;

  /** Whether something was refused, behind which nothing is read. */
  private volatile boolean hasRefused;

  // ---- of the writer

  private final WaitLimit writeLimit;

  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param socket TLS on the connection, or the connection itself
   */
  SocketTransport(Socket connection, Socket socket, TransportSettings settings) throws IOException {
    if (connection instanceof SSLSocket) {
      throw new IllegalArgumentException(
          "connection speaks TLS: its close waits for its writer; give the connection below, too:"
              + " SocketTransport.of(connection, tls, settings)");
    }
    this.connection = connection;
    this.socket = socket;
    this.settings = settings;
    long idleNs = settings.closesWhenIdle() ? settings.readLimitNs() : 0;
    long repeatedNs = settings.readLimitNs() - idleNs;
    if (repeatedNs > 0 && socket instanceof PolledSocket polled) {
      repeatLimit = polled.limitReads(repeatedNs);
      repeatableNs = 0;
    } else {
      repeatLimit = NO_LIMIT;
      repeatableNs = repeatedNs;
      // of a record of TLS that comes byte by byte, each byte has all the time of SO_TIMEOUT
      idleNs += socket instanceof SSLSocket ? 2 * repeatedNs : 0;
    }
    idleLimit = new WaitLimit(idleNs, this::closeNow);
    maxReadBytes = settings.maxLineBytes();
    writeLimit = new WaitLimit(settings.writeTimeout().toNanos(), this::closeNow);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    arriving = socket == connection ? in : connection.getInputStream();
  }

  // ---- making one

  /** Connects by TCP. */
  public static SocketTransport connect(InetSocketAddress address, TransportSettings settings)
      throws IOException {
    Socket connection = open(address, settings);
    try {
      return new SocketTransport(connection, connection, settings);
    } catch (Throwable failure) {
      closeQuietly(connection);
      throw failure;
    }
  }

  /**
   * Connects by TLS; the other end's certificate must be one of the host that the address names.
   *
   * @param tls which certificates are trusted
   * @throws javax.net.ssl.SSLException if the other end has no such certificate
   */
  public static SocketTransport connect(
      InetSocketAddress address, SSLContext tls, TransportSettings settings) throws IOException {
    Socket connection = open(address, settings);
    try {
      SSLSocket socket =
          (SSLSocket)
              tls.getSocketFactory()
                  .createSocket(connection, address.getHostString(), address.getPort(), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      shakeHands(connection, socket, settings);
      return new SocketTransport(connection, socket, settings);
    } catch (Throwable failure) {
      closeQuietly(connection);
      throw failure;
    }
  }

  private static Socket open(InetSocketAddress address, TransportSettings settings)
      throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString() + " (is the name of the host right?)");
    }
    Socket connection = new Socket();
    try {
      connection.connect(address, settings.connectTimeoutMs());
      return connection;
    } catch (Throwable failure) {
      closeQuietly(connection);
      if (failure instanceof ConnectException) {
        ConnectException named =
            new ConnectException(
                "cannot connect to %s: %s; start the server there, or give the port that it has"
                    .formatted(address, failure.getMessage()));
        named.initCause(failure);
        throw named;
      }
      throw failure;
    }
  }

  /** Takes a connection without TLS that is there, of either end; it is closed with this. */
  public static SocketTransport of(Socket connection, TransportSettings settings)
      throws IOException {
    return new SocketTransport(connection, connection, settings);
  }

  /**
   * Takes a connection on which TLS may be spoken already; see {@link
   * TransportServer.SocketProtocol}.
   *
   * @param bytes what is read and written: TLS on the connection, or the connection itself
   */
  public static SocketTransport of(Socket connection, Socket bytes, TransportSettings settings)
      throws IOException {
    return new SocketTransport(connection, bytes, settings);
  }

  /**
   * Takes a connection that a client has opened and speaks TLS on it, as the server; waits until
   * both ends agree. If they do not, the connection is left to the caller.
   *
   * @param tls with the server's key
   */
  public static SocketTransport accept(
      Socket connection, SSLContext tls, TransportSettings settings) throws IOException {
    return new SocketTransport(connection, secure(connection, tls, settings), settings);
  }

  /** Speaks TLS on a connection that a client has opened; see {@link #accept}. */
  static SSLSocket secure(Socket connection, SSLContext tls, TransportSettings settings)
      throws IOException {
    SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(connection, null, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(TLS_VERSIONS);
    socket.setSSLParameters(parameters);
    shakeHands(connection, socket, settings);
    return socket;
  }

  private static void shakeHands(Socket connection, SSLSocket socket, TransportSettings settings)
      throws IOException {
    WaitLimit limit =
        WaitLimit.within(settings.connectTimeout().toNanos(), () -> closeQuietly(connection));
    try (limit) {
      socket.startHandshake();
    } catch (IOException failure) {
      if (!limit.isExceeded()) {
        throw interruptedOr(failure, "connects");
      }
    }
    if (limit.isExceeded()) {
      throw new SocketTimeoutException(
          "TLS was not agreed upon within %d ms; the other end is silent or slow, or"
                  .formatted(settings.connectTimeoutMs())
              + " TransportSettings.connectTimeout is too short for it");
    }
  }

  // ---- reading

  /**
   * Limits the lines that are read from here on: a server trusts a client less that it does not
   * know yet. Is for the reader. After a longer line it can still write, to say why; then it
   * closes, and what the other end has sent behind that line is dropped for a second at most,
   * without which TCP could drop the answer.
   *
   * @param maxBytes of a line, 1 to {@link TransportSettings#maxLineBytes}
   * @param lineNs how long a line may take from its first byte on, in nanoseconds; then the
   *     connection is closed. Zero: as long as the settings say
   */
  public void limitLines(int maxBytes, long lineNs) {
    Ranges.check("maxBytes", maxBytes, 1, settings.maxLineBytes());
    maxReadBytes = maxBytes;
    isServing = true;
    if (lineLimit != null) {
      lineLimit.close();
    }
    lineLimit = lineNs == 0 ? null : new WaitLimit(lineNs, this::closeNow);
  }

  /** Asks for room for each line from here on that is longer than before; is for the reader. */
  public void askForRoom(LineRoom newRoom) {
    lines.askForRoom(newRoom);
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    if (repeatableNs == 0) {
      idleLimit.excuse(moreNs);
    }
  }

  @Override
  public @Nullable String readLine() throws IOException {
    if (closed) {
      WaitLimit late = cameLate;
      cameLate = null;
      throw late == null
          ? new TransportException("this end is closed; no line is read from it")
          : noLine(late);
    }
    if (hasRefused) {
      throw new TransportException(
          "no line is read behind one that was refused; close the connection");
    }
    if (!lines.hasLine()) {
      return readOn();
    }
    giveOthersTheirTurn(true);
    return line();
  }

  /** Reads until there is a line. */
  private @Nullable String readOn() throws IOException {
    long beginNs = repeatableNs == 0 ? 0 : Suspension.now();
    WaitLimit ofLine = lineLimit;
    String line = null;
    idleLimit.begin();
    repeatLimit.begin();
    try {
      line = awaitLine(beginNs, ofLine);
      return line;
    } catch (IOException failure) {
      if (ofLine != null && ofLine.isExceeded()) {
        throw noLine(ofLine);
      }
      throw idleLimit.isExceeded() ? noLine(idleLimit) : failure;
    } finally {
      repeatLimit.end();
      // both end, whichever was over time
      WaitLimit late = idleLimit.end() ? idleLimit : null;
      if (ofLine != null && ofLine.end()) {
        late = ofLine;
      }
      cameLate = line == null ? null : late;
    }
  }

  /** Returns what a read throws whose line has not come within a limit. */
  private SocketTimeoutException noLine(WaitLimit exceeded) {
    return exceeded == idleLimit ? settings.noLine(lines.held()) : settings.slowLine(lines.held());
  }

  private @Nullable String awaitLine(long beginNs, @Nullable WaitLimit ofLine) throws IOException {
    boolean hasBegun = false;
    while (true) {
      // one more may be the first half of the line's end
      if (lines.held() > maxReadBytes + 1) {
        throw tooLong("more than " + maxReadBytes + " bytes without end");
      }
      if (ofLine != null && lines.held() > 0 && !hasBegun) {
        hasBegun = true;
        ofLine.begin();
      }
      if (read(beginNs) < 0) {
        int left = lines.held();
        if (left > 0) {
          lines.clear();
          throw new TransportException(
              "the other end has closed within a line, after "
                  + left
                  + " bytes of it; the line is not complete");
        }
        return null;
      }
      if (lines.hasLine()) {
        return line();
      }
    }
  }

  private String line() throws TransportException {
    int bytes = lines.lineBytes();
    if (bytes > maxReadBytes) {
      throw tooLong(bytes + " bytes");
    }
    return lines.takeLine();
  }

  private TransportException tooLong(String size) {
    if (isServing) {
      endReading();
    } else {
      closeNow();
    }
    return LineText.tooLong(size, maxReadBytes);
  }

  /** Reads nothing more, but at the {@link #close} as behind a line that was too long. */
  public void endReading() {
    hasRefused = true;
  }

  private int read(long beginNs) throws IOException {
    try {
      if (repeatableNs > 0) {
        long leftNs = repeatableNs - (Suspension.now() - beginNs);
        if (leftNs <= 0) {
          throw new SocketTimeoutException();
        }
        socket.setSoTimeout((int) ((leftNs + 999_999) / 1_000_000)); // not before its time
      }
      giveOthersTheirTurn(false);
      int count = readSome();
      turn.beginIfWaited();
      if (count > 0 && isUnread) {
        isUnread = false;
      }
      return count;
    } catch (SocketTimeoutException _) {
      throw settings.noLine(lines.held());
    } catch (IOException failure) {
      if (closed) {
        throw new TransportException("this end is closed; no line is read from it", failure);
      }
      throw interruptedOr(failure, "reads");
    }
  }

  /**
   * Lets other sessions run if this one has not waited for long, and would not now.
   *
   * @param isHere whether a line is here
   */
  private void giveOthersTheirTurn(boolean isHere) {
    if (!hasTurn) {
      hasTurn = true;
      turn.begin();
    } else if (turn.isOver()) {
      // a platform thread has no carrier that others wait for
      turn.next((isHere || isArriving()) && Thread.currentThread().isVirtual());
    }
  }

  private boolean isArriving() {
    try {
      return arriving.available() > 0;
    } catch (IOException _) {
      return false; // the read tells it
    }
  }

  /** Waits without an array of this end; returns null where one is needed. */
  private byte @Nullable [] arrayThatCame() throws IOException {
    return socket instanceof PolledSocket polled && lines.takesArrays()
        ? polled.readArray(LineBuffer.FIRST_BYTES)
        : null;
  }

  private int readSome() throws IOException {
    while (true) {
      try {
        byte[] came = arrayThatCame();
        if (came != null) {
          lines.put(came);
          return came.length;
        }
        return lines.readFrom(in, maxReadBytes);
      } catch (SocketTimeoutException late) {
        if (repeatableNs > 0 || repeatLimit.isExceeded()) {
          throw late;
        }
        // not ours: whoever made the socket has set it; to ask before each read costs more
        socket.setSoTimeout(0);
      }
    }
  }

  // ---- writing

  @Override
  public void writeLine(String line) throws IOException {
    byte[] bytes = LineText.encode(line, settings.maxLineBytes());
    try {
      // most lines have room at once, and need no limit
      int written = socket instanceof PolledSocket polled ? polled.writeNow(bytes) : 0;
      if (written < bytes.length) {
        writeWithinLimit(bytes, written);
      }
    } catch (SocketTimeoutException late) {
      throw late;
    } catch (IOException failure) {
      if (closed) {
        throw new TransportException("this end is closed; the line is not written", failure);
      }
      IOException told = interruptedOr(failure, "writes");
      throw told == failure && !(failure instanceof SSLException) ? gone(failure) : told;
    } catch (Error noMemory) {
      closeNow(); // a part of the line may have been sent
      throw noMemory;
    }
  }

  private static TransportException gone(IOException failure) {
    return new TransportException(
        "the other end has gone (%s); the line is not written".formatted(failure.getMessage()),
        failure);
  }

  private void writeWithinLimit(byte[] bytes, int from) throws IOException {
    boolean isLate = false;
    writeLimit.begin();
    try {
      out.write(bytes, from, bytes.length - from);
      out.flush();
    } catch (IOException failure) {
      throw writeLimit.isExceeded() ? settings.noRoom() : failure;
    } finally {
      isLate = writeLimit.end();
    }
    if (isLate) {
      throw settings.noRoom(); // it came at the last moment: the connection is closed already
    }
  }

  // ---- the end

  @Override
  public void close() {
    if (!closed && (hasRefused || socket instanceof SSLSocket) && !writeLimit.isWaiting()) {
      sayGoodbye();
    }
    closeNow();
    idleLimit.close();
    repeatLimit.close();
    writeLimit.close();
    WaitLimit ofLine = lineLimit;
    if (ofLine != null) {
      ofLine.close();
    }
  }

  /**
   * Tells the other end that nothing was cut off. {@code SSLSocket.close} would then wait for its
   * answer, for as long as a read does.
   *
   * <p>A server of TLS 1.3 sends tickets for later connections, which a client that only writes
   * never reads; unread, they would make TCP reset the connection, and the other end lose what was
   * written last. So such a client reads to the end of the connection first, and so does a server
   * that has refused a line.
   */
  private void sayGoodbye() {
    try (WaitLimit _ = WaitLimit.within(GOODBYE_NS, this::closeNow)) {
      socket.shutdownOutput();
      boolean isUnreadClient =
          isUnread && socket instanceof SSLSocket tls && tls.getUseClientMode();
      if ((hasRefused || isUnreadClient) && !idleLimit.isWaiting()) {
        byte[] ignored = new byte[IGNORED_BYTES];
        socket.setSoTimeout(0);
        while (in.read(ignored) >= 0) {
          // nobody is to have it
        }
      }
    } catch (IOException _) {
      // it has gone, or does not read: then it learns it from the end of the connection
    }
  }

  private void closeNow() {
    closed = true;
    closeQuietly(connection);
  }

  /** Closes a connection that is of no use any more, whatever comes of it. */
  public static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // it is of no use any more in any case
    }
  }

  private static IOException interruptedOr(IOException failure, String doing) {
    if (Thread.currentThread().isInterrupted()) {
      InterruptedIOException cancelled =
          new InterruptedIOException("the session is cancelled while it " + doing);
      cancelled.initCause(failure);
      return cancelled;
    }
    return failure;
  }

  @Override
  public String toString() {
    return "transport to " + connection.getRemoteSocketAddress();
  }
}
