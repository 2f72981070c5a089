package dev.takt.netty;

import dev.takt.session.LineText;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A connection over Netty, by TCP or TLS, for blocking protocol code.
 *
 * <p><b>Guarantees.</b> As {@link Transport}. A line that the other end has not ended is an
 * exception, not a line. No call waits longer than its time of the settings; one that times out, or
 * whose session is cancelled, can be repeated; after a line that is too long, or a read that is
 * idle for too long, the connection is closed. What was written before {@link #close} is sent, for
 * as long as a write may take.
 *
 * <p><b>Thread rule.</b> As {@link Transport}; never on an event loop, which a waiting call would
 * stop. <b>Memory.</b> Netty's channel; unread, the longest line and what one turn of the event
 * loop reads; unsent, thrice the longest line and 64 KiB.
 *
 * {@snippet :
 * try (EventLoopGroup loops = NettyTransport.loops(1);
 *     Transport transport =
 *         NettyTransport.connect(address, null, TransportSettings.DEFAULTS, loops)) {
 *   transport.writeLine("HELO example.org");
 *   String answer = transport.readLine();
 * }
 * }
 */
public final class NettyTransport implements Transport {
  private static final int LOW_WATER_BYTES = 32_768;

  private final Channel channel;
  private final TransportSettings settings;
  private final Inbox inbox;

  private NettyTransport(Channel channel, TransportSettings settings, Inbox inbox) {
    this.channel = channel;
    this.settings = settings;
    this.inbox = inbox;
  }

  // ---- making one

  /**
   * Returns event loops that look at sockets by the JDK's selectors; to be closed by the caller.
   */
  public static EventLoopGroup loops(int threads) {
    return new MultiThreadIoEventLoopGroup(threads, NioIoHandler.newFactory());
  }

  /**
   * Connects.
   *
   * @param tls by which the other end's certificate is checked, for the host that the address
   *     names; null for TCP
   * @param loops what the connection runs on, with channels of {@link NioSocketChannel}
   * @throws SocketTimeoutException if that takes longer than the settings allow
   * @throws javax.net.ssl.SSLException if the other end has no such certificate
   */
  public static NettyTransport connect(
      InetSocketAddress address,
      @Nullable SslContext tls,
      TransportSettings settings,
      EventLoopGroup loops)
      throws IOException {
    Inbox inbox = new Inbox(settings);
    ChannelFuture connecting =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectTimeoutMs())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    String host = address.getHostString();
                    prepare(
                        channel,
                        tls == null
                            ? null
                            : tls.newHandler(channel.alloc(), host, address.getPort()),
                        settings,
                        inbox);
                  }
                })
            .connect(address);
    NettyTransport transport = new NettyTransport(connecting.channel(), settings, inbox);
    try {
      transport.await(connecting);
      transport.agree();
      return transport;
    } catch (Throwable failure) {
      transport.close();
      throw failure;
    }
  }

  /** Takes a channel that a client has opened, on its event loop. */
  static NettyTransport accept(
      Channel channel, @Nullable SslContext tls, TransportSettings settings) {
    Inbox inbox = new Inbox(settings);
    prepare(channel, tls == null ? null : tls.newHandler(channel.alloc()), settings, inbox);
    return new NettyTransport(channel, settings, inbox);
  }

  private static void prepare(
      Channel channel, @Nullable SslHandler tls, TransportSettings settings, Inbox inbox) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    // who has sent all may say so, and still read the answers
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    int low = Math.max(LOW_WATER_BYTES, settings.maxLineBytes());
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(low, 2 * low));
    if (tls != null) {
      tls.setHandshakeTimeoutMillis(settings.connectTimeoutMs());
      channel.pipeline().addLast(tls);
    }
    channel.pipeline().addLast(inbox);
  }

  /** Waits until both ends have agreed upon TLS, if they are to. */
  void agree() throws IOException {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      await(tls.handshakeFuture());
    }
  }

  private void await(Future<?> future) throws IOException {
    try {
      future.await();
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled while it connects");
    }
    Throwable cause = future.cause();
    if (cause instanceof ConnectTimeoutException || cause instanceof SslHandshakeTimeoutException) {
      SocketTimeoutException late =
          new SocketTimeoutException(
              (cause instanceof ConnectTimeoutException
                      ? "no connection"
                      : "TLS was not agreed upon")
                  + " within %d ms; the other end is silent or slow, or"
                      .formatted(settings.connectTimeoutMs())
                  + " TransportSettings.connectTimeout is too short for it");
      late.initCause(cause);
      throw late;
    }
    if (cause != null) {
      throw cause instanceof IOException known ? known : new IOException(cause);
    }
  }

  // ---- lines

  @Override
  public @Nullable String readLine() throws IOException {
    requireNoLoop();
    try {
      return inbox.takeLine();
    } catch (SocketTimeoutException silent) {
      if (settings.closesWhenIdle()) {
        close();
      }
      throw silent;
    }
  }

  @Override
  public void writeLine(String line) throws IOException {
    requireNoLoop();
    byte[] bytes = LineText.encode(line, settings.maxLineBytes());
    inbox.awaitRoom();
    channel
        .writeAndFlush(Unpooled.wrappedBuffer(bytes))
        .addListener(
            written -> {
              Throwable cause = written.cause();
              if (cause != null) {
                inbox.failed(cause);
              }
            });
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    inbox.excuseIdle(moreNs);
  }

  private void requireNoLoop() {
    if (channel.eventLoop().inEventLoop()) {
      throw new IllegalStateException(
          "a transport is read or written on its event loop, which would wait for itself; do it in"
              + " a session");
    }
  }

  // ---- the end

  @Override
  public void close() {
    if (!inbox.close()) {
      return;
    }
    if (!channel.isRegistered()) {
      channel.close();
      return;
    }
    // what was written before is sent first
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    long timeoutNs = settings.writeTimeout().toNanos();
    if (channel.isOpen()) {
      Future<?> limit =
          channel.eventLoop().schedule(() -> channel.close(), timeoutNs, TimeUnit.NANOSECONDS);
      channel.closeFuture().addListener(closed -> limit.cancel(false));
    }
  }

  @Override
  public String toString() {
    return "transport to " + channel.remoteAddress();
  }
}
