package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.WaiterQueue.Waiter;
import dev.takt.testkit.Seeds;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait in a queue, one by one and in masses. */
@Timeout(120)
class WaiterQueueTest {
  private static final int MANY = 100_000;
  private static final Duration LONG = Duration.ofSeconds(100);

  private final EventSpace space = EventSpace.create();
  private final Event template = new Event("type", "job");
  private final LookupPlan plan = space.table.plan(template);
  private final WaiterQueue queue = new WaiterQueue();

  private Waiter add() {
    Waiter waiter = new Waiter(template, plan, WaitClock.system());
    queue.add(waiter);
    return waiter;
  }

  private void wakeNext() {
    queue.wakeNext(plan.fingerprint(template));
  }

  @Test
  void shouldWakeInTheOrderOfComingAndPassOverThoseThatHaveLeft() {
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      waiters.add(add());
    }
    queue.leave(waiters.get(0));
    queue.leave(waiters.get(3));
    for (int next : new int[] {1, 2, 4, 5}) {
      assertThat(waiters.get(next).isNotified()).isFalse();
      wakeNext();
      assertThat(waiters.get(next).isNotified()).as("waiter %d", next).isTrue();
    }
    wakeNext();
    assertThat(queue.first()).isNull();
    Waiter late = add();
    wakeNext();
    assertThat(late.isNotified()).as("behind nodes of those that are gone").isTrue();
  }

  @Test
  void shouldNotWakeWhoWaitsForAnotherFingerprint() {
    Waiter waiter = add();
    queue.wakeNext(waiter.fingerprint + 1);
    assertThat(waiter.isNotified()).isFalse();
  }

  @Test
  void shouldStayAsShortAsTheNumberOfWaitersWhenAllLeaveWithoutAnEvent() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    List<Waiter> waiting = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      waiting.add(add());
      if (waiting.size() > 100) {
        queue.leave(waiting.remove(random.nextInt(waiting.size())));
      }
    }
    assertThat(queue.nodes()).isBetween(100, 700);
    assertThat(queue.count()).isEqualTo(100);
    assertThat(queue.nodes()).isLessThanOrEqualTo(101);
  }

  @Test
  void shouldWakeOneThreadForOneEventBesideAHundredThousandWaiters() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  if (space.take(template, LONG) != null) {
                    taken.incrementAndGet();
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    while (threads.stream().anyMatch(each -> each.getState() != Thread.State.TIMED_WAITING)) {
      Thread.onSpinWait();
    }
    for (int i = 1; i <= 10; i++) {
      long before = space.waiters.wakeUps();
      long beganNs = System.nanoTime();
      space.write(template);
      while (taken.get() < i || space.waiters.count() > MANY - i) {
        Thread.onSpinWait();
      }
      long sweeps = (System.nanoTime() - beganNs) / Waiters.SWEEP_NS + 1;
      assertThat(space.waiters.wakeUps() - before)
          .as("one, beside sweeps and a first new sentry")
          .isBetween(1L, (i == 1 ? 2 : 1) + sweeps);
    }
    long beganNs = System.nanoTime();
    for (int i = 10; i < MANY; i++) {
      while (space.stats().events() > 10_000) {
        Thread.onSpinWait();
      }
      space.write(template);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(taken).hasValue(MANY);
    long sweeps = (System.nanoTime() - beganNs) / Waiters.SWEEP_NS + 1;
    assertThat(space.waiters.wakeUps())
        .as("one for each write, and one for each thread that leaves when there are more events")
        .isLessThanOrEqualTo(2L * MANY + sweeps);
    assertThat(space.stats().events()).isZero();
  }

  @Test
  void shouldLoseNoEventWhenWaitersGiveUpAtAnyMoment() throws Exception {
    long seed = Seeds.seed();
    int events = 20_000;
    AtomicInteger taken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random random = new Random(seed + i);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (taken.get() < events) {
                      try {
                        Duration shortly = Duration.ofNanos(random.nextInt(100_000));
                        if (space.take(template, shortly) != null) {
                          taken.incrementAndGet();
                        }
                      } catch (InterruptedException e) {
                        // goes on
                      }
                    }
                  }));
    }
    Random random = new Random(seed);
    for (int i = 0; i < events; i++) {
      space.write(template);
      if (random.nextInt(4) == 0) {
        threads.get(random.nextInt(threads.size())).interrupt();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(space.stats().events()).isZero();
    assertThat(space.waiters.count()).isZero();
  }

  @Test
  void shouldNotKeepAThreadThatWaitsNoLonger() throws Exception {
    List<WeakReference<Thread>> gone = new ArrayList<>();
    gone.add(waitAndEnd(Duration.ofMillis(1), false));
    gone.add(waitAndEnd(LONG, true));
    for (int i = 0; i < 10; i++) {
      System.gc();
    }
    assertThat(gone).allMatch(each -> each.refersTo(null));
  }

  /** Returns a thread that has waited for an event that comes or not. */
  private WeakReference<Thread> waitAndEnd(Duration timeout, boolean comes) throws Exception {
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    assertThat(space.take(template, timeout) != null).isEqualTo(comes);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    while (comes && space.waiters.count() == 0) {
      Thread.onSpinWait();
    }
    if (comes) {
      space.write(template);
    }
    thread.join();
    return new WeakReference<>(thread);
  }
}
