package dev.takt.bench.session;

import dev.takt.session.InVmTransport;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** The mail's transactions as blocking code, on whatever carries that. */
abstract class BlockingMail implements MailProgram {
  private final long delayNs;

  BlockingMail(long delayNs) {
    this.delayNs = delayNs;
  }

  /** Makes a connection whose other end is an echo. */
  abstract Transport connect() throws Exception;

  /** Starts code beside the caller, or runs it here. */
  abstract void start(String name, Callable<Void> code);

  @Override
  public void run(int transactions, int parallel) throws Exception {
    CountDownLatch ended = new CountDownLatch(parallel);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < parallel; i++) {
      int first = i;
      start(
          "client " + i,
          () -> {
            try {
              for (int number = first; number < transactions; number += parallel) {
                MailTransaction.run(DelayedTransport.of(connect(), delayNs), number);
              }
            } catch (Throwable e) {
              failure.set(e);
            } finally {
              ended.countDown();
            }
            return null;
          });
    }
    ended.await();
    if (failure.get() != null) {
      throw new IllegalStateException("a transaction has failed", failure.get());
    }
  }

  @Override
  public void close() {}

  /** As sessions of Takt. */
  static final class OfSessions extends BlockingMail {
    private final boolean called;
    private final TransportSettings settings;
    private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);

    OfSessions(long delayNs, boolean called, TransportSettings settings) {
      super(delayNs);
      this.called = called;
      this.settings = settings;
    }

    @Override
    Transport connect() {
      InVmTransport.Pair pair = InVmTransport.pair(settings);
      if (called) {
        return new CalledEcho(pair);
      }
      start(
          "echo",
          () -> {
            MailTransaction.echo(pair.second());
            return null;
          });
      return pair.first();
    }

    @Override
    void start(String name, Callable<Void> code) {
      sessions.start(name, code);
    }

    @Override
    public void close() {
      sessions.close();
    }
  }

  /** One transaction after the other on the caller's thread; one more thread is the echo. */
  static final class Synchronous extends BlockingMail {
    private final boolean called;
    private final ExecutorService echo = Executors.newSingleThreadExecutor();

    Synchronous(long delayNs, boolean called) {
      super(delayNs);
      this.called = called;
    }

    @Override
    Transport connect() {
      InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
      if (called) {
        return new CalledEcho(pair);
      }
      echo.submit(
          () -> {
            MailTransaction.echo(pair.second());
            return null;
          });
      return pair.first();
    }

    @Override
    void start(String name, Callable<Void> code) {
      try {
        code.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      echo.close();
    }
  }

  /** As threads of the JDK, with the JDK's queues between them. */
  static final class OfThreads extends BlockingMail {
    private final ExecutorService threads;

    OfThreads(long delayNs, ExecutorService threads) {
      super(delayNs);
      this.threads = threads;
    }

    @Override
    Transport connect() {
      QueueTransport.Pair pair = QueueTransport.pair();
      start(
          "echo",
          () -> {
            MailTransaction.echo(pair.second());
            return null;
          });
      return pair.first();
    }

    @Override
    void start(String name, Callable<Void> code) {
      threads.submit(code);
    }

    @Override
    public void close() {
      threads.close();
    }
  }
}
