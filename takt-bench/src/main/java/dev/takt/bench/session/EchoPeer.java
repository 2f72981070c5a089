package dev.takt.bench.session;

import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.SocketTransport;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A server that writes back each line. */
public enum EchoPeer {
  /** Callbacks, written by hand, on Netty. */
  NETTY("-netty"),
  /** A platform thread for each connection, with the code of the sessions. */
  THREADS("-threads"),
  /** A bare virtual thread for each connection, with the same code. */
  VIRTUAL("-virtual"),
  /** Sessions of Takt as they are without further settings. */
  SESSION(""),
  /** Sessions of Takt whose reads have a time limit and can be repeated after it. */
  TIMED("-timed");

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final int BACKLOG = 1_024;

  private final String suffix;

  EchoPeer(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the end of the names of its results. */
  public String suffix() {
    return suffix;
  }

  /** A server that runs. */
  interface Server extends AutoCloseable {
    int port();

    @Override
    void close() throws IOException;
  }

  Server open() throws IOException {
    return switch (this) {
      case NETTY -> new OfNetty();
      case THREADS -> new OfThreads(Thread.ofPlatform().daemon());
      case VIRTUAL -> new OfThreads(Thread.ofVirtual());
      case SESSION -> new OfSessions(TransportSettings.DEFAULTS);
      case TIMED ->
          new OfSessions(TransportSettings.DEFAULTS.withReadTimeout(Duration.ofSeconds(30)));
    };
  }

  private static final class OfSessions implements Server {
    private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
    private final TransportServer server;

    OfSessions(TransportSettings settings) throws IOException {
      server = TransportServer.open(ANY_PORT, null, settings, sessions, MailTransaction::echo);
    }

    @Override
    public int port() {
      return server.address().getPort();
    }

    @Override
    public void close() {
      server.close();
      sessions.close();
    }
  }

  private static final class OfThreads implements Server {
    private final ServerSocket socket =
        new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());

    private final ThreadFactory threads;

    OfThreads(Thread.Builder threads) throws IOException {
      this.threads = threads.factory();
      Thread.ofPlatform().daemon().start(this::acceptAll);
    }

    private void acceptAll() {
      try {
        while (true) {
          Socket connection = socket.accept();
          threads.newThread(() -> serve(connection)).start();
        }
      } catch (IOException _) {
        // it is closed
      }
    }

    private static void serve(Socket connection) {
      try (connection;
          SocketTransport transport = SocketTransport.of(connection, TransportSettings.DEFAULTS)) {
        MailTransaction.echo(transport);
      } catch (IOException _) {
        // the client has gone
      }
    }

    @Override
    public int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static final class OfNetty implements Server {
    private final EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(), NioIoHandler.newFactory());

    private final Channel server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    int most = TransportSettings.DEFAULTS.maxLineBytes();
                    channel
                        .pipeline()
                        .addLast(new LineBasedFrameDecoder(most))
                        .addLast(new StringDecoder(StandardCharsets.UTF_8))
                        .addLast(new EchoHandler());
                  }
                })
            .bind(ANY_PORT)
            .syncUninterruptibly()
            .channel();

    @Override
    public int port() {
      return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public void close() {
      server.close().syncUninterruptibly();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  /** All of the lines that came with one read are answered by one write. */
  private static final class EchoHandler extends SimpleChannelInboundHandler<String> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) {
      ByteBuf answer = context.alloc().buffer(3 * line.length() + 1);
      answer.writeCharSequence(line, StandardCharsets.UTF_8);
      answer.writeByte('\n');
      context.write(answer);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
