package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The queue of arrivals between threads; beside a model it is tested in takt-testkit. */
class ArrivalQueueTest {
  @Test
  void shouldLoseNoArrivalWhenThreadsBringAndTakeThem() throws InterruptedException {
    ArrivalQueue queue = new ArrivalQueue(Aperiodic.ofCapacity(64), OperatingSystems.current());
    AtomicLong accepted = new AtomicLong();
    AtomicLong taken = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    int each = 5_000;
    for (int i = 0; i < 2; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      if (queue.arrive(1) == Arrival.ACCEPTED) {
                        accepted.incrementAndGet();
                      }
                    }
                  }));
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      if (queue.poll(1) == 1) {
                        taken.incrementAndGet();
                      }
                      queue.size();
                      queue.nextNs();
                      queue.count(Arrival.SAVED);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(queue.count(Arrival.ACCEPTED)).isEqualTo(accepted.get());
    assertThat(queue.count(Arrival.REFUSED_FULL)).isEqualTo(2 * each - accepted.get());
    assertThat(queue.size()).isEqualTo((int) (accepted.get() - taken.get()));
  }

  /** A release time beyond the range of times would lie in the past. */
  @Test
  void shouldHaveNoRoomForArrivalsToBeReleasedInAnotherAge() {
    Sporadic rare = Sporadic.ofNs(ReleaseParameters.MAX_NS).withQueue(64, QueuePolicy.IGNORE);
    for (long nowNs : new long[] {0, Long.MAX_VALUE - 5, Long.MIN_VALUE}) {
      ArrivalQueue queue = new ArrivalQueue(rare, OperatingSystems.current());
      assertThat(queue.arrive(nowNs)).isEqualTo(Arrival.ACCEPTED);
      assertThat(queue.arrive(nowNs)).isEqualTo(Arrival.SAVED);
      for (int i = 0; i < 20; i++) {
        assertThat(queue.arrive(nowNs)).isEqualTo(Arrival.IGNORED);
      }
      assertThat(queue.poll(nowNs)).isEqualTo(nowNs);
      assertThat(queue.nextNs()).isEqualTo(nowNs + ReleaseParameters.MAX_NS);
      assertThat(queue.poll(nowNs + 1)).isEqualTo(ArrivalQueue.NONE);
    }
  }

  @Test
  void shouldIgnoreArrivalsWhenItIsClosedAndKeepThoseBefore() {
    ArrivalQueue queue = new ArrivalQueue(Aperiodic.ofCapacity(1), OperatingSystems.current());
    queue.arrive(1);
    queue.close();

    assertThat(queue.arrive(2)).isEqualTo(Arrival.IGNORED);
    assertThat(queue.count(Arrival.IGNORED)).isOne();
    assertThat(queue.poll(2)).isOne();
  }

  @Test
  void shouldGiveNoArrivalBeforeItsTime() {
    ArrivalQueue queue = new ArrivalQueue(Sporadic.ofNs(10), OperatingSystems.current());
    assertThat(queue.arrive(5)).isEqualTo(Arrival.ACCEPTED);
    assertThat(queue.arrive(6)).isEqualTo(Arrival.SAVED);
    assertThat(queue.poll(4)).isEqualTo(ArrivalQueue.NONE);
    assertThat(queue.poll(5)).isEqualTo(5);
    assertThat(queue.poll(14)).isEqualTo(ArrivalQueue.NONE);
    assertThat(queue.poll(15)).isEqualTo(15);
    assertThat(queue.poll(99)).isEqualTo(ArrivalQueue.NONE);
  }

  @Test
  void shouldDropTheOldestAndNoMoreThanThereAre() {
    ArrivalQueue queue = new ArrivalQueue(Aperiodic.ofCapacity(4), OperatingSystems.current());
    for (int i = 1; i <= 4; i++) {
      queue.arrive(i);
    }
    queue.dropOldest(-1);
    queue.dropOldest(0);
    assertThat(queue.size()).isEqualTo(4);
    queue.dropOldest(1);
    assertThat(queue.nextNs()).isEqualTo(2);
    queue.arrive(5);
    queue.dropOldest(2);
    assertThat(queue.nextNs()).isEqualTo(4);
    assertThat(queue.size()).isEqualTo(2);
    queue.dropOldest(1L << 33);
    assertThat(queue.nextNs()).isEqualTo(ArrivalQueue.NONE);
    assertThat(queue.size()).isZero();
  }

  @Test
  void shouldLetOthersInAfterEachCall() throws InterruptedException {
    letOthersInAfterEachCall(OperatingSystems.current());
  }

  /** There the lock refuses to be left by a thread that has not entered it. */
  @Test
  void shouldEnterAndLeaveLockInEachCallWhenSystemIsPortable() throws InterruptedException {
    letOthersInAfterEachCall(OperatingSystems.portable());
  }

  private static void letOthersInAfterEachCall(OperatingSystem system) throws InterruptedException {
    ArrivalQueue queue = new ArrivalQueue(Aperiodic.ofCapacity(64), system);
    List<Runnable> calls =
        List.of(
            () -> queue.poll(0),
            () -> queue.arrive(1),
            () -> queue.poll(0),
            () -> queue.poll(1),
            queue::nextNs,
            queue::size,
            () -> queue.count(Arrival.SAVED),
            () -> queue.dropOldest(1));
    for (Runnable call : calls) {
      call.run();
      Thread.ofPlatform().start(() -> queue.arrive(1)).join();
    }
    assertThat(queue.count(Arrival.ACCEPTED)).isEqualTo(calls.size() + 1);
  }
}
