package dev.takt.netty;

import dev.takt.session.Sessions;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections over Netty, and serves each by a session: the same code as with {@link
 * TransportServer}.
 *
 * <p><b>Guarantees.</b> Every accepted connection is closed when its session ends, however that is.
 * TLS is agreed upon while the connection's own session waits. If there are as many sessions as
 * their settings allow, a further connection is closed at once and counted.
 *
 * <p><b>Thread rule.</b> Any thread but those of the event loops.
 *
 * {@snippet :
 * try (EventLoopGroup loops = NettyTransport.loops(1);
 *     Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
 *     NettyServer server =
 *         NettyServer.open(
 *             address, null, TransportSettings.DEFAULTS, loops, sessions, this::serve)) {
 *   ...
 * }
 * }
 */
public final class NettyServer implements AutoCloseable {
  /** How many connections the operating system keeps until they are accepted. */
  private static final int BACKLOG = 1_024;

  private final @Nullable SslContext tls;
  private final TransportSettings settings;
  private final Sessions sessions;
  private final TransportServer.Protocol protocol;
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Channel channel;

  private NettyServer(
      InetSocketAddress address,
      @Nullable SslContext tls,
      TransportSettings settings,
      EventLoopGroup loops,
      Sessions sessions,
      TransportServer.Protocol protocol)
      throws IOException {
    this.tls = tls;
    this.settings = settings;
    this.sessions = sessions;
    this.protocol = protocol;
    ChannelFuture binding =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    start(connection);
                  }
                })
            .bind(address);
    try {
      binding.await();
    } catch (InterruptedException cancelled) {
      binding.channel().close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled while a server opens");
    }
    Throwable cause = binding.cause();
    if (cause instanceof BindException) {
      throw TransportServer.cannotListen(address, cause);
    }
    if (cause != null) {
      throw cause instanceof IOException known ? known : new IOException(cause);
    }
    channel = binding.channel();
  }

  /**
   * Begins to accept connections.
   *
   * @param address where; port 0 for a free one ({@link #address})
   * @param tls with the server's key, or null for TCP
   * @param settings the limits of each connection
   * @param loops what the connections run on
   * @param sessions where their code runs
   * @param protocol what is done with each
   */
  public static NettyServer open(
      InetSocketAddress address,
      @Nullable SslContext tls,
      TransportSettings settings,
      EventLoopGroup loops,
      Sessions sessions,
      TransportServer.Protocol protocol)
      throws IOException {
    return new NettyServer(address, tls, settings, loops, sessions, protocol);
  }

  private void start(Channel connection) {
    accepted.incrementAndGet();
    NettyTransport transport = NettyTransport.accept(connection, tls, settings);
    try {
      sessions.start(
          "connection from " + connection.remoteAddress(),
          () -> {
            try (transport) {
              transport.agree();
              protocol.serve(transport);
            }
            return null;
          });
    } catch (RejectedExecutionException full) {
      refused.incrementAndGet();
      connection.close();
    }
  }

  /** Returns where connections are accepted. */
  public InetSocketAddress address() {
    return (InetSocketAddress) channel.localAddress();
  }

  /** Returns how many connections were accepted so far, with those that were closed at once. */
  public long accepted() {
    return accepted.get();
  }

  /** Returns how many connections were closed at once for want of a session. */
  public long refused() {
    return refused.get();
  }

  /** Accepts no further connections; those that there are go on. */
  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
  }
}
