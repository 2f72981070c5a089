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
import java.util.concurrent.locks.LockSupport;

/** The mail's transactions as blocking code, on whatever carries that. */
abstract class BlockingMail implements MailProgram {
  private final long delayNs;
  private final boolean called;

  BlockingMail(long delayNs, boolean called) {
    this.delayNs = delayNs;
    this.called = called;
  }

  /** Starts a client beside the caller, or runs it here. */
  abstract void start(String name, Callable<Void> code);

  /** Starts the other end of a connection beside the caller. */
  void startEcho(Callable<Void> code) {
    start("echo", code);
  }

  /** Delays the calling code. */
  void delay(long durationNs) throws InterruptedException {
    LockSupport.parkNanos(durationNs);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Waits until all clients have ended. */
  void await(CountDownLatch ended) throws InterruptedException {
    ended.await();
  }

  /** Makes a connection. */
  InVmTransport.Pair pair() {
    return InVmTransport.pair(TransportSettings.DEFAULTS);
  }

  /** Makes a connection whose other end is an echo. */
  Transport connect() throws Exception {
    InVmTransport.Pair pair = pair();
    if (called) {
      return new CalledEcho(pair);
    }
    startEcho(
        () -> {
          MailTransaction.echo(pair.second());
          return null;
        });
    return pair.first();
  }

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
                MailTransaction.run(DelayedTransport.of(connect(), delayNs, this::delay), number);
              }
            } catch (Throwable e) {
              failure.set(e);
            } finally {
              ended.countDown();
            }
            return null;
          });
    }
    await(ended);
    if (failure.get() != null) {
      throw new IllegalStateException("a transaction has failed", failure.get());
    }
  }

  @Override
  public void close() {}

  /** As sessions of Takt. */
  static final class OfSessions extends BlockingMail {
    private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);

    OfSessions(long delayNs, boolean called) {
      super(delayNs, called);
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
    private final ExecutorService echo = Executors.newSingleThreadExecutor();

    Synchronous(long delayNs, boolean called) {
      super(delayNs, called);
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
    void startEcho(Callable<Void> code) {
      echo.submit(code);
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
      super(delayNs, false);
      this.threads = threads;
    }

    @Override
    InVmTransport.Pair pair() {
      return QueueTransport.pair();
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
