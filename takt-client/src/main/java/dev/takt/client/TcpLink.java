package dev.takt.client;

import dev.takt.client.wire.MessageLength;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.InvalidAlgorithmParameterException;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A link by TCP, with or without TLS: messages one after the other, each with its own length.
 *
 * <p>The channel does not wait, and there is no thread: whoever waits for an answer reads it, as on
 * each {@link MessageLink}; a thread that reads would cost two more wake-ups for each answer, and
 * one that writes by blocking calls could wait for ever for a host that does not read.
 *
 * <p><b>Guarantees:</b> nothing waits but {@link #await} and, for a bound, {@link #close}. A length
 * that the format does not allow ends the link before anything is kept of its message.
 *
 * <p><b>Memory:</b> two buffers of the largest message; with TLS some 70 KB more.
 */
final class TcpLink implements MessageLink {
  private static final WaitClock CLOCK = WaitClock.system();

  /** What bytes pass through. */
  interface Stream {
    /** Returns how much room a read needs. */
    int roomBytes();

    /** Reads what is there; 0 if there is nothing, negative at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Sends as much as there is room for. */
    void write(ByteBuffer from) throws IOException;

    /** Sends what was taken from the writer before; returns whether nothing is left of it. */
    boolean flush() throws IOException;

    /** Says, as far as there is room, that nothing more comes. */
    void end() throws IOException;

    /** Returns which scheme of an address leads here. */
    String scheme();
  }

  /** Waits for a channel, until a time. */
  interface Wait {
    void until(int operations) throws IOException;
  }

  private record PlainStream(SocketChannel channel) implements Stream {
    @Override
    public int roomBytes() {
      return 1;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return channel.read(into);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
      channel.write(from);
    }

    @Override
    public boolean flush() {
      return true;
    }

    @Override
    public void end() {}

    @Override
    public String scheme() {
      return "tcp";
    }
  }

  /** As those of servers, in takt-session, which knows this module as little as this one it. */
  private static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};

  private static final String NO_TRUST =
      "no certificate is trusted here: is there one in the trust store, and is its password given"
          + " (-Djavax.net.ssl.trustStore, -Djavax.net.ssl.trustStorePassword)?";

  private static final int MS = 1_000_000;
  private static final long GOODBYE_NS = 100_000_000;

  /** How often who closes wakes who awaits. */
  private static final long AWAITER_NS = 50_000;

  /** How long a wait for the host goes on at most without a look whether it is given up. */
  private static final long LOOK_MS = 20;

  final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Stream stream;
  private final int maxMessageBytes;
  private final long spinNs;

  /** What has come: from {@link #from} to its position. */
  private final ByteBuffer in;

  private final MemorySegment inBytes;
  private int from;

  /** What is to be sent: from its beginning to its position. */
  private final ByteBuffer out;

  private final MemorySegment outBytes;

  /** Whether {@link #poll} has found nothing since there was something. */
  private volatile boolean isEmpty;

  private volatile boolean isClosed;
  private volatile boolean isAwaiting;
  private boolean hasEnded;

  private TcpLink(
      SocketChannel channel, Selector selector, Stream stream, WireLimits limits, long spinNs) {
    this.channel = channel;
    this.selector = selector;
    this.stream = stream;
    this.spinNs = spinNs;
    maxMessageBytes = limits.maxMessageBytes();
    key = channel.keyFor(selector);
    key.interestOps(SelectionKey.OP_READ);
    byte[] bytes = new byte[maxMessageBytes + stream.roomBytes()];
    in = ByteBuffer.wrap(bytes);
    inBytes = MemorySegment.ofArray(bytes);
    bytes = new byte[maxMessageBytes];
    out = ByteBuffer.wrap(bytes);
    outBytes = MemorySegment.ofArray(bytes);
  }

  /**
   * Connects.
   *
   * @param tls whom to trust; the host's certificate must name the host of the address. Null:
   *     without TLS
   * @param isGivenUp see {@link LinkSource#connect(long, BooleanSupplier)}
   * @throws InterruptedIOException if the thread is interrupted, which it is afterwards, too
   * @throws IOException if the host cannot be reached within the time, or TLS is not agreed upon
   */
  static TcpLink connect(
      InetSocketAddress address,
      @Nullable SSLContext tls,
      ClientSettings settings,
      BooleanSupplier isGivenUp)
      throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString() + " (is the name of the host right?)");
    }
    long endNs = CLOCK.nanoTime() + settings.timeoutNs();
    SocketChannel channel = SocketChannel.open();
    Selector selector = null;
    try {
      selector = Selector.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      KeepAlive.begin(channel.supportedOptions(), channel::setOption);
      SelectionKey key = channel.register(selector, 0);
      Selector waiting = selector;
      String late =
          "no connection to %s within %s ms (ClientSettings.timeoutNs); %s"
              .formatted(
                  address,
                  Math.ceilDiv(settings.timeoutNs(), MS),
                  doubt(tls == null ? "tcp" : "tls"));
      Wait wait = operations -> await(waiting, key.interestOps(operations), endNs, late, isGivenUp);
      if (!channel.connect(address)) {
        do {
          wait.until(SelectionKey.OP_CONNECT);
        } while (!channel.finishConnect());
      }
      Stream stream = tls == null ? new PlainStream(channel) : secured(channel, tls, address, wait);
      return new TcpLink(channel, selector, stream, settings.wire(), settings.spinNs());
    } catch (Throwable failure) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      if (failure.getClass() == SSLException.class) { // no TLS at all, not what it is about
        String hint = isOfTrustStore(failure) ? NO_TRUST : doubt("tls");
        throw new SSLException(failure.getMessage() + "; " + hint, failure);
      }
      if (failure instanceof ConnectException) {
        throw new ConnectException(
            ("no host listens at %s: %s; start one there, for example ./takt serve --listen"
                    + " %s://HOST:%d")
                .formatted(
                    address, failure.getMessage(), tls == null ? "tcp" : "tls", address.getPort()));
      }
      throw failure;
    }
  }

  private static void await(
      Selector selector, SelectionKey key, long endNs, String late, BooleanSupplier isGivenUp)
      throws IOException {
    int ready = 0;
    while (ready == 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException(
            "interrupted before the connection was made; connect again");
      }
      long left = endNs - CLOCK.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException(late);
      }
      if (isGivenUp.getAsBoolean()) {
        throw new IOException("the link was given up before it was made");
      }
      ready = selector.select(Math.min(left / MS + 1, LOOK_MS));
      selector.selectedKeys().clear();
    }
  }

  private static TlsStream secured(
      SocketChannel channel, SSLContext tls, InetSocketAddress address, Wait wait)
      throws IOException {
    SSLEngine engine = tls.createSSLEngine(address.getHostString(), address.getPort());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setProtocols(TLS_VERSIONS);
    engine.setSSLParameters(parameters);
    TlsStream stream = new TlsStream(channel, engine);
    stream.shakeHands(wait);
    return stream;
  }

  /** Whether this end trusts nobody: the JDK tells it as a fault of its own, within others. */
  private static boolean isOfTrustStore(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return innermost instanceof InvalidAlgorithmParameterException;
  }

  private static String doubt(String scheme) {
    return ("does a host run there, and is that its port for %s:// and not for %s://, lines:// or"
            + " ws://?")
        .formatted(scheme, "tcp".equals(scheme) ? "tls" : "tcp");
  }

  @Override
  public String doubt() {
    return doubt(stream.scheme());
  }

  @Override
  public synchronized boolean offer(MemorySegment message, int length) throws IOException {
    if (isClosed || hasEnded) {
      throw new IOException("the link is closed");
    }
    flush();
    boolean hasRoom = length <= out.remaining();
    if (hasRoom) {
      MemorySegment.copy(message, 0, outBytes, out.position(), length);
      out.position(out.position() + length);
      flush();
    }
    return hasRoom;
  }

  /** Sends what is to be sent, as far as there is room. */
  private void flush() throws IOException {
    if (out.position() > 0) {
      out.flip();
      try {
        stream.write(out);
      } finally {
        out.compact();
      }
    }
    boolean isSent = stream.flush() && out.position() == 0;
    int wanted = isSent ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    if (key.interestOps() != wanted) {
      key.interestOps(wanted);
      if (!isSent) {
        selector.wakeup();
      }
    }
  }

  @Override
  public synchronized int poll(MemorySegment into) throws IOException {
    if (isClosed) {
      return ENDED;
    }
    isEmpty = false;
    int length = next();
    while (length == NONE && !hasEnded) {
      makeRoom();
      int count = stream.read(in);
      hasEnded = count < 0;
      if (count == 0) {
        break;
      }
      length = next();
    }
    if (length == NONE) {
      if (hasEnded) {
        return end();
      }
      flush();
      isEmpty = true;
      return NONE;
    }
    MemorySegment.copy(
        inBytes, ValueLayout.JAVA_BYTE, from, into, ValueLayout.JAVA_BYTE, 0, length);
    from += length;
    return length;
  }

  private int end() throws IOException {
    if (from < in.position()) { // who has another protocol ends with some words of it
      throw new IOException(
          "the host has ended the link within a message, after %s bytes; %s"
              .formatted(in.position() - from, doubt()));
    }
    return ENDED;
  }

  /** Returns the length of the next message, if all of it has come. */
  private int next() throws IOException {
    int count = in.position() - from;
    if (count < MessageLength.KNOWN_BY_BYTES) {
      return NONE;
    }
    int length = MessageLength.of(in.array(), from);
    if (length < MessageLength.LEAST_BYTES || length > maxMessageBytes) {
      throw new IOException(
          ("the host sends a message of %s bytes (expected: %s to %s, WireLimits.maxMessageBytes);"
                  + " %s")
              .formatted(
                  Integer.toUnsignedString(length),
                  MessageLength.LEAST_BYTES,
                  maxMessageBytes,
                  doubt()));
    }
    return length <= count ? length : NONE;
  }

  private void makeRoom() {
    if (from > 0) {
      in.limit(in.position()).position(from);
      in.compact();
      from = 0;
    }
  }

  @Override
  public void await(long timeoutNs) throws IOException {
    if (isEmpty && timeoutNs > 0) {
      isAwaiting = true; // before the look: who closes looks at this after that
      try {
        if (!isClosed) {
          selector.select(timeoutNs >= Long.MAX_VALUE - MS ? 0 : (timeoutNs + MS - 1) / MS);
        }
      } catch (ClosedSelectorException _) {
        return; // closed meanwhile
      } finally {
        isAwaiting = false;
      }
      synchronized (this) {
        if (!isClosed) {
          selector.selectedKeys().clear();
        }
      }
    }
  }

  @Override
  public void wakeUp() {
    selector.wakeup();
  }

  @Override
  public long spinNs() {
    return spinNs;
  }

  /**
   * Sends what is to be sent and reads to the end of the link, for a tenth of a second at most: TCP
   * would drop what is under way if something was left unread.
   */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    while (isAwaiting) { // else it might take the selector between two waits of this end
      selector.wakeup();
      CLOCK.parkNanos(AWAITER_NS);
    }
    try (channel;
        selector) {
      if (!hasEnded) {
        sayGoodbye();
      }
    }
  }

  private void sayGoodbye() {
    try {
      out.flip();
      stream.write(out);
      stream.end();
      channel.shutdownOutput();
      key.interestOps(SelectionKey.OP_READ);
      long endNs = CLOCK.nanoTime() + GOODBYE_NS;
      while (channel.read(in.clear()) >= 0) {
        long left = endNs - CLOCK.nanoTime();
        if (left <= 0 || Thread.currentThread().isInterrupted()) {
          return;
        }
        selector.select(left / MS + 1);
        selector.selectedKeys().clear();
      }
    } catch (IOException _) {
      // the host has gone
    }
  }
}
