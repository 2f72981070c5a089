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
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

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

  /** The first of many clients is silent until the last one is connected. */
  private static final TransportSettings SETTINGS =
      TransportSettings.DEFAULTS.withIdleTimeout(Duration.ofMinutes(10));

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

    /** Returns how many connections it has accepted so far. */
    long accepted();

    /** Returns what has kept it from serving a connection; null: nothing. */
    default Throwable failure() {
      return null;
    }

    /** Ends it, after its clients have gone: none of its connections is left. */
    @Override
    void close() throws IOException;
  }

  /**
   * Begins to serve.
   *
   * @param connections how many there will be
   * @throws IOException if the machine does not allow so many
   */
  Server open(int connections) throws IOException {
    return switch (this) {
      case NETTY -> new OfNetty();
      case THREADS -> {
        ThreadRoom.require(connections);
        yield new OfThreads(Thread.ofPlatform().daemon());
      }
      case VIRTUAL -> new OfThreads(Thread.ofVirtual());
      case SESSION -> new OfSessions(SETTINGS);
      case TIMED -> new OfSessions(SETTINGS.withReadTimeout(SETTINGS.idleTimeout()));
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
    public long accepted() {
      return server.accepted();
    }

    @Override
    public void close() {
      server.close();
      sessions.close();
    }
  }

  /** A thread for each connection; the first failure that is not a client's is kept. */
  static final class OfThreads implements Server {
    private final ServerSocket socket =
        new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());

    private final ExecutorService threads;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile long accepted;

    OfThreads(Thread.Builder threads) throws IOException {
      this(threads.factory());
    }

    OfThreads(ThreadFactory threads) throws IOException {
      this.threads = Executors.newThreadPerTaskExecutor(threads);
      Thread.ofPlatform().daemon().start(this::acceptAll);
    }

    private void acceptAll() {
      long count = 0;
      try (socket) {
        while (true) {
          Socket connection = socket.accept();
          accepted = ++count;
          start(connection);
        }
      } catch (IOException _) {
        // it is closed
      }
    }

    private void start(Socket connection) throws IOException {
      try {
        threads.execute(() -> serve(connection));
      } catch (Throwable noThread) { // an error where the machine allows no more threads
        failure.compareAndSet(null, noThread); // before the client learns that it has gone
        connection.close();
        throw new IOException("no thread for a connection", noThread);
      }
    }

    private void serve(Socket connection) {
      try (connection;
          SocketTransport transport = SocketTransport.of(connection, SETTINGS)) {
        MailTransaction.echo(transport);
      } catch (SocketTimeoutException late) {
        failure.compareAndSet(null, late);
      } catch (IOException _) {
        // the client has gone
      }
    }

    @Override
    public int port() {
      return socket.getLocalPort();
    }

    @Override
    public long accepted() {
      return accepted;
    }

    @Override
    public Throwable failure() {
      return failure.get();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      threads.close();
    }
  }

  private static final class OfNetty implements Server {
    private final EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(), NioIoHandler.newFactory());

    private final AtomicLong accepted = new AtomicLong();

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
                    accepted.incrementAndGet();
                    int most = SETTINGS.maxLineBytes();
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
    public long accepted() {
      return accepted.get();
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
