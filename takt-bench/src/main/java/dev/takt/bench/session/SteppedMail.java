package dev.takt.bench.session;

import dev.takt.session.SessionSettings;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The mail's transactions as sessions that the caller's thread steps, by the machine's clock. */
final class SteppedMail extends BlockingMail {
  /** It looks at the clock again and again for so long before a session is to go on. */
  private static final long SPIN_NS = 100_000;

  private final SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS);
  private final long beginNs = System.nanoTime();

  SteppedMail(long delayNs, boolean called) {
    super(delayNs, called);
  }

  @Override
  void start(String name, Callable<Void> code) {
    sessions.start(name, code);
  }

  /** The sessions' time may be behind that of the machine, by which a delay is measured. */
  @Override
  void delay(long durationNs) throws InterruptedException {
    Suspension.current().await(timeNs() - sessions.nanoTime() + durationNs);
  }

  private long timeNs() {
    return System.nanoTime() - beginNs;
  }

  @Override
  void await(CountDownLatch ended) throws InterruptedException {
    sessions.runUntil(timeNs());
    while (ended.getCount() > 0) {
      long leftNs = sessions.nextNs() - timeNs();
      if (leftNs > Suspension.FOR_EVER_NS) {
        throw new IllegalStateException("all sessions wait for each other");
      }
      if (leftNs > SPIN_NS) {
        LockSupport.parkNanos(leftNs - SPIN_NS);
      } else if (leftNs > 0) {
        Thread.onSpinWait();
      } else {
        sessions.runUntil(timeNs());
      }
    }
  }

  @Override
  public void close() {
    sessions.close();
  }
}
