package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyQueueTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 1000})
  void shouldHoldAsManyAsItsCapacity(int capacity) {
    ReadyQueue queue = new ReadyQueue(capacity);
    for (int lap = 0; lap < 3; lap++) {
      for (int i = 0; i < capacity; i++) {
        queue.push(i);
      }
      for (int i = 0; i < capacity; i++) {
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.poll()).isEqualTo(i);
      }
      assertThat(queue.poll()).isEqualTo(ReadyQueue.EMPTY);
      assertThat(queue.isEmpty()).isTrue();
    }
  }

  @Test
  void shouldHoldLargestNumber() {
    ReadyQueue queue = new ReadyQueue(1);
    queue.push(ReadyQueue.MAX_INDEX);
    assertThat(queue.poll()).isEqualTo(ReadyQueue.MAX_INDEX);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 1024})
  void shouldKeepOrderWhenLapsWrapAround(int places) {
    // 2^40 laps of two places pass in 30 hours at 20 million releases a second.
    for (long lap : new long[] {(1L << 39) - 1, (1L << 40) - 1, (1L << 40) * 5 - 1, -1}) {
      ReadyQueue queue = new ReadyQueue(places, lap);
      for (int i = 0; i < 2 * places; i++) {
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isEqualTo(ReadyQueue.EMPTY);
        queue.push(i);
        queue.push(i + 1_000_000);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.poll()).isEqualTo(i);
        assertThat(queue.poll()).isEqualTo(i + 1_000_000);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void shouldGoOnWhenThreadsWereStoppedBeforeTheyMovedTheHints(int lag) {
    ReadyQueue queue = new ReadyQueue(4);
    for (int round = 0; round < 20; round++) {
      queue.push(round);
      moveBack(queue.tail, lag);
      queue.push(round + 100);
      moveBack(queue.tail, lag);
      moveBack(queue.head, lag);
      assertThat(queue.isEmpty()).isFalse();
      moveBack(queue.head, lag);
      assertThat(queue.poll()).isEqualTo(round);
      moveBack(queue.head, lag);
      assertThat(queue.poll()).isEqualTo(round + 100);
      moveBack(queue.head, lag);
      assertThat(queue.isEmpty()).isTrue();
      moveBack(queue.head, lag);
      assertThat(queue.poll()).isEqualTo(ReadyQueue.EMPTY);
    }
  }

  private static void moveBack(ReadyQueue.Counter hint, int by) {
    long at = hint.getVolatile();
    hint.move(at, Math.max(0, at - by));
  }

  @Test
  void shouldStayWhereItIsWhenThereIsNothingToPoll() {
    ReadyQueue queue = new ReadyQueue(4);
    queue.push(1);
    queue.poll();
    for (int i = 0; i < 3; i++) {
      assertThat(queue.poll()).isEqualTo(ReadyQueue.EMPTY);
      assertThat(queue.head.getVolatile()).isEqualTo(1);
      assertThat(queue.tail.getVolatile()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseWhatExceedsItsPlaces() {
    ReadyQueue queue = new ReadyQueue(2);
    queue.push(0);
    queue.push(1);
    assertThatThrownBy(() -> queue.push(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("run queue is full: places=2, refused=0; a number was pushed twice");
  }

  @Test
  void shouldAgreeWithModelQueue() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    ReadyQueue queue = new ReadyQueue(16);
    ArrayDeque<Integer> model = new ArrayDeque<>();
    for (int i = 0; i < 100_000; i++) {
      if (random.nextBoolean() && model.size() < 16) {
        queue.push(i & 0xFFFF);
        model.add(i & 0xFFFF);
      } else {
        Integer expected = model.poll();
        assertThat(queue.poll())
            .as("seed %d", seed)
            .isEqualTo(expected == null ? ReadyQueue.EMPTY : expected);
      }
      assertThat(queue.isEmpty()).as("seed %d", seed).isEqualTo(model.isEmpty());
    }
  }

  @Test
  void shouldGiveEachNumberToOneConsumerWhenManyPushAndPoll() throws InterruptedException {
    int numbers = 8;
    int rounds = 50_000;
    ReadyQueue queue = new ReadyQueue(numbers);
    AtomicIntegerArray inQueue = new AtomicIntegerArray(numbers);
    AtomicIntegerArray polls = new AtomicIntegerArray(numbers);
    AtomicIntegerArray errors = new AtomicIntegerArray(1);
    for (int i = 0; i < numbers; i++) {
      inQueue.set(i, 1);
      queue.push(i);
    }
    Runnable work =
        () -> {
          for (int i = 0; i < rounds; ) {
            int number = queue.poll();
            if (number == ReadyQueue.EMPTY) {
              Thread.onSpinWait();
              continue;
            }
            if (inQueue.getAndSet(number, 0) != 1) {
              errors.incrementAndGet(0);
            }
            polls.incrementAndGet(number);
            inQueue.set(number, 1);
            queue.push(number);
            i++;
          }
        };
    Thread[] threads = {new Thread(work), new Thread(work), new Thread(work)};
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    int total = 0;
    for (int i = 0; i < numbers; i++) {
      total += polls.get(i);
    }
    assertThat(errors.get(0)).isZero();
    assertThat(total).isEqualTo(threads.length * rounds);
    for (int i = 0; i < numbers; i++) {
      assertThat(queue.poll()).isNotEqualTo(ReadyQueue.EMPTY);
    }
    assertThat(queue.poll()).isEqualTo(ReadyQueue.EMPTY);
  }
}
