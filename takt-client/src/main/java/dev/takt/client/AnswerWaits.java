package dev.takt.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How callers wait for their answers: who waits also receives, so that an answer needs no second
 * thread on its way.
 *
 * <p>A caller polls the link for {@link MessageLink#spinNs} first, and as long as it is alone it
 * keeps the lock of the exchange meanwhile ({@link #pollLocked}). Then it sleeps: the first as the
 * <em>sleeper</em>, in {@link MessageLink#await}, and receives for all; the others are parked until
 * they have their answer or the sleeper, which has its own, hands the place over. While somebody
 * polls, the host is told that no wake-ups are needed, also if there is a sleeper; the last who
 * polls takes that back, and looks once more.
 *
 * <p>The <em>receiver</em>, where there is one ({@link #receiveUntilEnd}), is a sleeper that waits
 * for notices. While it runs subscribers, which may ask and wait themselves, callers sleep as if it
 * were not there.
 *
 * <p><b>Guarantees:</b> an answer that has come is received by a caller that polls, or by the
 * sleeper; one of both is there as long as a caller waits. Whoever leaves, also the one who was
 * woken to be the sleeper and has its answer already, wakes the next one. A notice is never kept
 * from the receiver by callers that sleep.
 *
 * <p><b>Thread rule:</b> any thread. A virtual thread never sleeps in the link, since it would keep
 * its carrier: whoever uses them has a receiver, and while that runs subscribers they look every
 * millisecond.
 */
final class AnswerWaits {
  private static final int LOOKS = 16;
  private static final long LOOK_NS = 1_000_000;
  private static final long FOR_EVER_NS = Long.MAX_VALUE;

  /** So long a wake-up that the host has withheld keeps an answer back. */
  private static final long SLEEP_NS = 1_000_000_000;

  private final RequestExchange exchange;
  private final MessageLink link;
  private final ReentrantLock sleeper = new ReentrantLock();
  private final AtomicInteger polling = new AtomicInteger();
  private volatile boolean isSleeping;

  /** What the sleeper waits for, if it is a caller. */
  private volatile @Nullable Answer slept;

  /** What the receiver waits by. */
  private volatile @Nullable Object receiverWaiter;

  /** Whether the receiver is parked, or about to be. */
  private volatile boolean isReceiverParked;

  /** Whether the receiver runs subscribers. */
  private volatile boolean isReceiverAway;

  /** Whether there is a notice that the receiver has not seen. */
  private volatile boolean isNoticed;

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
    if (spinNs > 0 && !answer.isPolledInVain) {
      poll(answer, spinNs);
    }
    boolean hasParked = false;
    while (!answer.isDone && !Thread.currentThread().isInterrupted()) {
      if ((!isVirtual || isReceiverAway) && sleeper.tryLock()) {
        try {
          if (isVirtual) {
            parkAndLook();
          } else {
            sleepUntil(answer);
          }
        } finally {
          sleeper.unlock();
          passOn();
        }
      } else {
        hasParked = true;
        park(answer, isVirtual);
      }
    }
    if (hasParked && !sleeper.isLocked()) {
      passOn(); // this thread may be the one that was woken to be the sleeper
    }
    return answer.isDone;
  }

  /**
   * Polls for an answer, of a caller that has the lock of the exchange: between two looks it need
   * not be taken and given back. It ends when there is the answer, the time is over, or another
   * thread wants the lock; and it does nothing while somebody sleeps, which has to be told of it.
   */
  void pollLocked(Answer answer) {
    long spinNs = link.spinNs();
    if (spinNs == 0 || isSleeping || Thread.currentThread().isVirtual()) {
      return;
    }
    lookLocked(answer);
    if (answer.isDone || exchange.isLockWanted()) {
      return;
    }
    long begin = exchange.clock.nanoTime();
    do {
      lookLocked(answer);
      if (answer.isDone || exchange.isLockWanted()) {
        return;
      }
    } while (exchange.clock.nanoTime() - begin < spinNs);
    answer.isPolledInVain = true;
  }

  private void lookLocked(Answer answer) {
    for (int i = 0; i < LOOKS; i++) {
      exchange.receive();
      if (answer.isDone || exchange.isLockWanted()) {
        return;
      }
      Thread.onSpinWait();
    }
  }

  private void poll(Answer answer, long spinNs) {
    polling.incrementAndGet();
    if (isSleeping) {
      link.setPolled(true);
    }
    spin(answer);
    if (!answer.isDone) { // most answers come before it is worth a look at the clock
      long begin = exchange.clock.nanoTime();
      do {
        spin(answer);
      } while (!answer.isDone && exchange.clock.nanoTime() - begin < spinNs);
    }
    if (polling.decrementAndGet() == 0 && isSleeping) {
      link.setPolled(false);
      if (!exchange.tryReceive()) {
        link.wakeUp(); // whoever has the lock may wait for room with it: the sleeper looks
      }
    }
  }

  private void spin(Answer answer) {
    for (int i = 0; i < LOOKS && !answer.isDone; i++) {
      if (!exchange.tryReceive() || !answer.isDone) {
        Thread.onSpinWait();
      }
    }
  }

  private void sleepUntil(Answer answer) {
    exchange.tryReceive(); // what came before this thread was the sleeper
    slept = answer; // before the look: who receives the answer later wakes this thread
    while (!answer.isDone && !Thread.currentThread().isInterrupted()) {
      sleep();
    }
    slept = null;
  }

  /** Wakes the caller of an answer that is done. */
  void wake(Answer answer) {
    Object waiter = answer.waiter;
    if (answer.isParked && waiter != null) {
      exchange.clock.unpark(waiter);
    } else if (slept == answer && !sleeper.isHeldByCurrentThread()) {
      link.wakeUp();
    }
  }

  private void sleep() {
    isSleeping = true;
    try {
      link.await(SLEEP_NS);
    } catch (IOException e) {
      exchange.end(e);
    } finally {
      isSleeping = false;
    }
    exchange.tryReceive();
  }

  private void parkAndLook() {
    exchange.clock.parkNanos(LOOK_NS);
    try {
      link.await(0); // does not wait: there are links whose poll alone does not see their end
    } catch (IOException e) {
      exchange.end(e);
    }
    exchange.tryReceive();
  }

  private void park(Answer answer, boolean isVirtual) {
    answer.isParked = true;
    if (!answer.isDone && ((isVirtual && !isReceiverAway) || sleeper.isLocked())) {
      exchange.clock.parkNanos(FOR_EVER_NS);
    }
    answer.isParked = false;
  }

  /**
   * Wakes one of those who sleep, to be the sleeper: the receiver, if it has nothing else to do.
   */
  private void passOn() {
    Object waiter = receiverWaiter;
    if (waiter != null && isReceiverParked) {
      exchange.clock.unpark(waiter);
    } else {
      exchange.wakeOne();
    }
  }

  /** Lets the receiver run the subscribers of notices that have come. */
  void notice() {
    isNoticed = true;
    Object waiter = receiverWaiter;
    if (waiter != null) {
      exchange.clock.unpark(waiter);
    }
    if (!sleeper.isHeldByCurrentThread()) {
      link.wakeUp(); // the sleeper may be the receiver
    }
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
      passOn();
    }
    return true;
  }

  /**
   * Is the receiver until the link ends. An interrupt, which a subscriber may leave behind, has no
   * meaning here, and is forgotten: no wait would wait.
   *
   * @param onNotice runs subscribers, after one or more notices have come
   */
  void receiveUntilEnd(Runnable onNotice) {
    receiverWaiter = exchange.clock.waiter();
    while (!exchange.hasEnded()) {
      Thread.interrupted();
      if (sleeper.tryLock()) {
        try {
          sleepUntilNotice();
          isReceiverAway = true; // before others see that nobody sleeps
        } finally {
          sleeper.unlock();
        }
      } else {
        isReceiverParked = true;
        if (!isNoticed && !exchange.hasEnded() && sleeper.isLocked()) {
          exchange.clock.parkNanos(FOR_EVER_NS);
        }
        isReceiverParked = false;
      }
      if (isNoticed) {
        isReceiverAway = true;
        isNoticed = false; // before the look: what comes meanwhile is run the next time
        passOn();
        onNotice.run();
      }
      isReceiverAway = false;
    }
  }

  private void sleepUntilNotice() {
    exchange.tryReceive();
    while (!isNoticed && !exchange.hasEnded()) {
      sleep();
      Thread.interrupted();
    }
  }
}
