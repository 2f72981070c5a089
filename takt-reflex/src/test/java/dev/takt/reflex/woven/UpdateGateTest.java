package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.internal.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cycle begins when no thread is in an update, and no thread waits for long. */
@Timeout(60)
class UpdateGateTest {
  private static final int THREADS = 3;
  private static final int CUTS = 2_000;
  private static final int CUTS_AT_BEGINS = 500_000;

  private final PlainGate gate = new PlainGate();
  private final AtomicInteger inUpdate = new AtomicInteger();
  private final List<Integer> seen = new ArrayList<>();
  private long calls = -1;

  private final SaveSink sink =
      new SaveSink() {
        @Override
        public void begins(long cycle) {
          assertThat(PlainBarrier.epoch).isEqualTo(cycle).isPositive();
          seen.add(inUpdate.get());
        }

        @Override
        public void saved(
            Undoable object, long[] primitives, int end, @Nullable Object[] references, int last) {}

        @Override
        public void savedArray(Object array, Object copy, int length) {}

        @Override
        public void called(long times) {
          calls = times;
        }
      };

  @AfterEach
  void shouldEndCheapAgain() {
    gate.ask(null);
    assertThat(PlainBarrier.epoch).isZero();
  }

  @Test
  void shouldHaveBegunAtOnceWhenNoThreadIsInAnUpdate() {
    gate.ask(sink);
    assertThat(seen).containsExactly(0);
    assertThat(gate.hasBegun()).isTrue();
    PlainBarrier.saveArray(new int[1]);
    gate.ask(null);
    assertThat(gate.hasBegun()).isTrue();
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void shouldBeginWhenTheOuterUpdateEnds() {
    UpdateGate.Slot slot = UpdateGate.enter();
    UpdateGate.enter();
    gate.ask(sink);
    UpdateGate.exit(slot);
    assertThat(seen).isEmpty();
    assertThatThrownBy(gate::hasBegun).hasMessageContaining("is in an update");
    UpdateGate.exit(slot);
    assertThat(seen).as("made by who leaves").hasSize(1);
    assertThat(gate.hasBegun()).isTrue();
  }

  @Test
  void shouldTakeBackWhatHasNotBegun() {
    UpdateGate.Slot slot = UpdateGate.enter();
    gate.ask(sink);
    gate.ask(null);
    UpdateGate.exit(slot);
    assertThat(seen).isEmpty();
    assertThat(gate.hasBegun()).isTrue();
  }

  @Test
  void shouldRefuseASecondCycleAndAnExitWithoutEntrance() {
    UpdateGate.Slot left = UpdateGate.enter();
    UpdateGate.exit(left);
    gate.ask(sink);
    assertThatThrownBy(() -> gate.ask(sink)).hasMessageContaining("goes on already");
    assertThatThrownBy(() -> UpdateGate.exit(left)).hasMessageContaining("in no update");
  }

  @Test
  void shouldNotWaitForAThreadThatHasEndedInAnUpdate() throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(UpdateGate::enter);
    thread.join();
    gate.ask(sink);
    assertThat(gate.hasBegun()).isTrue();
  }

  /** The gate finds the slots of threads by the low bits of their numbers first. */
  @Test
  void shouldTellThreadsApartWhoseNumbersEndInTheSameBits() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread one =
        Thread.ofPlatform()
            .start(
                () -> {
                  UpdateGate.Slot slot = UpdateGate.enter();
                  entered.countDown();
                  Await.uninterruptibly(leave::await);
                  UpdateGate.exit(slot);
                });
    assertThat(entered.await(1, TimeUnit.MINUTES)).isTrue();
    AtomicBoolean isOtherEntered = new AtomicBoolean(true);
    Thread other =
        unstartedWithTheSamePlace(
            one,
            () -> {
              UpdateGate.exit(UpdateGate.enter());
              isOtherEntered.set(UpdateGate.isEntered());
            });
    try {
      other.start();
      other.join();
      gate.ask(sink);
      assertThat(isOtherEntered).isFalse();
      assertThat(gate.hasBegun()).isFalse();
    } finally {
      leave.countDown();
      one.join();
    }
    assertThat(gate.hasBegun()).isTrue();
  }

  private static Thread unstartedWithTheSamePlace(Thread one, Runnable body) {
    Thread other = Thread.ofPlatform().unstarted(body);
    while (UpdateGate.place(other) != UpdateGate.place(one)) {
      other = Thread.ofPlatform().unstarted(body); // takes the next number
    }
    return other;
  }

  @Test
  void shouldForgetAThreadThatHasEnded() throws InterruptedException {
    WeakReference<Thread> ended = new WeakReference<>(endedAfterUpdate());
    gate.ask(sink);
    for (int i = 0; i < 20 && !ended.refersTo(null); i++) {
      System.gc();
    }
    assertThat(ended.refersTo(null)).isTrue();
  }

  private static Thread endedAfterUpdate() throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(() -> UpdateGate.exit(UpdateGate.enter()));
    thread.join();
    return thread;
  }

  /** A thread in an update waits for a lock that one holds who waits at the gate. */
  @Test
  void shouldOpenAgainWhenAnUpdateWaitsForWhoWaitsForTheCut() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch entered = new CountDownLatch(1);
    lock.lock();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  UpdateGate.Slot slot = UpdateGate.enter();
                  entered.countDown();
                  lock.lock();
                  lock.unlock();
                  UpdateGate.exit(slot);
                });
    assertThat(entered.await(1, TimeUnit.MINUTES)).isTrue();
    gate.ask(sink);
    for (int i = 0; i < 20; i++) {
      assertThat(gate.hasBegun()).as("look %s", i).isFalse();
      UpdateGate.Slot slot = UpdateGate.enter();
      UpdateGate.exit(slot);
    }
    lock.unlock();
    thread.join();
    while (!gate.hasBegun()) {
      Thread.onSpinWait();
    }
    assertThat(seen).hasSize(1);
  }

  @Test
  void shouldKeepAnInterruptOfWhoWaits() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  UpdateGate.Slot slot = UpdateGate.enter();
                  entered.countDown();
                  try {
                    leave.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  UpdateGate.exit(slot);
                });
    assertThat(entered.await(1, TimeUnit.MINUTES)).isTrue();
    gate.ask(sink);
    Thread.currentThread().interrupt();
    UpdateGate.Slot slot = UpdateGate.enter();
    assertThat(Thread.interrupted()).isTrue();
    UpdateGate.exit(slot);
    leave.countDown();
    thread.join();
  }

  @Test
  void shouldMakeEachCutWhileNoThreadIsInAnUpdate() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofPlatform().start(() -> update(over)));
    }
    try {
      for (int i = 0; i < CUTS; i++) {
        gate.ask(sink);
        while (!gate.hasBegun()) {
          Thread.onSpinWait();
        }
        gate.ask(null);
      }
    } finally {
      over.set(true);
      for (Thread each : threads) {
        each.join();
      }
    }
    assertThat(seen).hasSize(CUTS).containsOnly(0);
  }

  private void update(AtomicBoolean over) {
    while (!over.get()) {
      UpdateGate.Slot slot = UpdateGate.enter();
      inUpdate.incrementAndGet();
      inUpdate.decrementAndGet();
      UpdateGate.exit(slot);
    }
  }

  @Test
  void shouldMakeNoCutWhenAnUpdateHasJustBegun() throws InterruptedException {
    Begins begins = new Begins();
    Thread thread = Thread.ofPlatform().start(begins);
    try {
      while (begins.cuts < CUTS_AT_BEGINS) {
        int before = begins.cuts;
        UpdateGate.cut(() -> begins.cuts = before + 1);
        while (begins.cuts == before) {
          UpdateGate.look();
        }
      }
    } finally {
      begins.over = true;
      thread.join();
    }
    assertThat(begins.cutsInUpdates).isZero();
  }

  /**
   * Updates after stores that miss the caches: without a fence the one that shows that the thread
   * is busy would wait behind them, and a cut would be made meanwhile.
   */
  private static final class Begins implements Runnable {
    private final long[] memory = new long[1 << 22];
    private volatile boolean over;
    private volatile int cuts;
    private int cutsInUpdates;

    @Override
    public void run() {
      for (long i = 0; !over; i++) {
        memory[(int) (i * 0x9E3779B97F4A7C15L >>> 42)] = i;
        UpdateGate.Slot slot = UpdateGate.enter();
        int before = cuts;
        for (int spin = 0; spin < 20; spin++) {
          Thread.onSpinWait();
        }
        cutsInUpdates += cuts - before;
        UpdateGate.exit(slot);
      }
    }
  }
}
