package dev.takt.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How callers wait for their answers: who waits also receives, so that an answer needs no second
 * thread on its way.
 *
 * <p>A caller polls the link for {@link MessageLink#spinNs} first. Then it sleeps: the first as the
 * <em>sleeper</em>, in {@link MessageLink#await}, and receives for all; the others are parked until
 * they have their answer or the sleeper, which has its own, hands the place over. While somebody
 * polls, the host is told that no wake-ups are needed, also if there is a sleeper; the last who
 * polls takes that back, and looks once more.
 *
 * <p><b>Guarantees:</b> an answer that has come is received by a caller that polls, or by the
 * sleeper; one of both is there as long as a caller waits.
 *
 * <p><b>Thread rule:</b> any thread. A virtual thread is never the sleeper, since it would keep its
 * carrier: whoever uses them has a thread in {@link #receiveUntilEnd}. So a subscriber, which runs
 * on that thread, must not wait for a virtual thread that asks.
 */
final class AnswerWaits {
  private static final int LOOKS = 16;
  private static final long FOR_EVER_NS = Long.MAX_VALUE;

  private final RequestExchange exchange;
  private final MessageLink link;
  private final ReentrantLock sleeper = new ReentrantLock();
  private final AtomicInteger polling = new AtomicInteger();
  private volatile boolean isSleeping;
  private volatile @Nullable Thread receiver;

  AnswerWaits(RequestExchange exchange, MessageLink link) {
    this.exchange = exchange;
    this.link = link;
  }

  /** Waits until there is an answer or the thread is interrupted; returns whether there is one. */
  boolean await(Answer answer) {
    if (answer.isDone) {
      return true;
    }
    boolean isVirtual = Thread.currentThread().isVirtual();
    if (isVirtual) {
      exchange.startReceiver();
    }
    long spinNs = isVirtual ? 0 : link.spinNs();
    if (spinNs > 0) {
      poll(answer, spinNs);
    }
    while (!answer.isDone && !Thread.currentThread().isInterrupted()) {
      if (!isVirtual && sleeper.tryLock()) {
        try {
          sleepUntil(answer);
        } finally {
          sleeper.unlock();
          exchange.passOn();
        }
      } else {
        park(answer, isVirtual);
      }
    }
    return answer.isDone;
  }

  private void poll(Answer answer, long spinNs) {
    polling.incrementAndGet();
    if (isSleeping) {
      link.setPolled(true);
    }
    long begin = exchange.clock.nanoTime();
    do {
      for (int i = 0; i < LOOKS && !answer.isDone; i++) {
        if (!exchange.tryReceive() || !answer.isDone) {
          Thread.onSpinWait();
        }
      }
    } while (!answer.isDone && exchange.clock.nanoTime() - begin < spinNs);
    if (polling.decrementAndGet() == 0 && isSleeping) {
      link.setPolled(false);
      exchange.receiveAll();
    }
  }

  private void sleepUntil(Answer answer) {
    exchange.receiveAll(); // what came before this thread was the sleeper
    while (!answer.isDone && !Thread.currentThread().isInterrupted()) {
      sleep(FOR_EVER_NS);
    }
  }

  private void sleep(long timeoutNs) {
    isSleeping = true;
    try {
      link.await(timeoutNs);
    } catch (IOException e) {
      exchange.end(e);
    } finally {
      isSleeping = false;
    }
    exchange.receiveAll();
  }

  private void park(Answer answer, boolean isVirtual) {
    answer.isParked = true;
    if (!answer.isDone && (isVirtual || sleeper.isLocked())) {
      exchange.clock.parkNanos(FOR_EVER_NS);
    }
    answer.isParked = false;
  }

  /** Returns whether the caller is the thread that is in {@link #receiveUntilEnd}. */
  boolean isReceiver() {
    return receiver == Thread.currentThread();
  }

  /**
   * Waits for the link, if nobody does; for callers that wait for room.
   *
   * @return whether this thread has waited
   */
  boolean awaitLink(long timeoutNs) throws IOException {
    if (Thread.currentThread().isVirtual() || !sleeper.tryLock()) {
      return false;
    }
    try {
      link.await(timeoutNs);
    } finally {
      sleeper.unlock();
      exchange.passOn();
    }
    return true;
  }

  /**
   * Is the sleeper whenever nobody else is, until the link ends.
   *
   * @param afterwards is called after each time that something was received
   */
  void receiveUntilEnd(Runnable afterwards) {
    receiver = Thread.currentThread();
    while (!exchange.hasEnded()) {
      sleeper.lock();
      try {
        if (!exchange.hasEnded()) {
          sleep(FOR_EVER_NS);
        }
      } finally {
        sleeper.unlock();
        exchange.passOn(); // a subscriber may wait for a caller that is parked
      }
      afterwards.run();
    }
  }
}
