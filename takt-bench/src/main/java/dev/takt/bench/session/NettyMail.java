package dev.takt.bench.session;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The mail's transactions written by hand as callbacks, on Netty's channels within the JVM: the
 * protocol is spread over {@code channelActive}, {@code channelRead0} and what they plan.
 */
final class NettyMail implements MailProgram {
  private final long delayNs;
  private final LocalAddress address = new LocalAddress(NettyMail.class);
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          Runtime.getRuntime().availableProcessors(), LocalIoHandler.newFactory());
  private final Channel server;

  NettyMail(long delayNs) {
    this.delayNs = delayNs;
    server =
        new ServerBootstrap()
            .group(loops)
            .channel(LocalServerChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new EchoHandler());
                  }
                })
            .bind(address)
            .syncUninterruptibly()
            .channel();
  }

  private static final class EchoHandler extends SimpleChannelInboundHandler<String> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) {
      context.writeAndFlush(line);
    }
  }

  /** Transactions one after the other, each on a connection of its own. */
  private final class Client {
    private final int transactions;
    private final int step;
    private final CountDownLatch ended;
    private final AtomicReference<Throwable> failure;
    private int number;

    Client(
        int first,
        int transactions,
        int step,
        CountDownLatch ended,
        AtomicReference<Throwable> failure) {
      number = first;
      this.transactions = transactions;
      this.step = step;
      this.ended = ended;
      this.failure = failure;
    }

    void next() {
      if (number >= transactions) {
        ended.countDown();
        return;
      }
      new Bootstrap()
          .group(loops)
          .channel(LocalChannel.class)
          .handler(new Transaction(this, number))
          .connect(address);
      number += step;
    }

    void fail(Throwable cause) {
      failure.set(cause);
      ended.countDown();
    }
  }

  private final class Transaction extends SimpleChannelInboundHandler<String> {
    private final Client client;
    private final int number;
    private int round;
    private String written;

    Transaction(Client client, int number) {
      this.client = client;
      this.number = number;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      later(context, () -> write(context));
    }

    private void later(ChannelHandlerContext context, Runnable step) {
      if (delayNs == 0) {
        step.run();
      } else {
        context.executor().schedule(step, delayNs, TimeUnit.NANOSECONDS);
      }
    }

    private void write(ChannelHandlerContext context) {
      written = MailTransaction.line(number, round);
      context.writeAndFlush(written);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) {
      later(context, () -> read(context, line));
    }

    private void read(ChannelHandlerContext context, String line) {
      MailTransaction.check(written, line);
      round++;
      if (round < MailTransaction.ROUNDS) {
        later(context, () -> write(context));
      } else {
        context.close();
        client.next();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
      client.fail(cause);
    }
  }

  @Override
  public void run(int transactions, int parallel) throws Exception {
    CountDownLatch ended = new CountDownLatch(parallel);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < parallel; i++) {
      new Client(i, transactions, parallel, ended, failure).next();
    }
    ended.await();
    if (failure.get() != null) {
      throw new IllegalStateException("a transaction has failed", failure.get());
    }
  }

  @Override
  public void close() {
    server.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
