package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into a ring comes out of it, whole and in order; what cannot be is refused. */
class RingTest {
  private static final int CAPACITY = 1024;
  private static final int LONGEST = CAPACITY / 2 - 4;
  private static final int STEPS = Seeds.size(30_000, 20_000_000);
  private static final long LONG_NS = 20_000_000_000L;
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = ring(CAPACITY);
  private final MemorySegment bytes = arena.allocate(2 * CAPACITY, 64);

  private MemorySegment ring(int capacityBytes) {
    return arena.allocate(RingProducer.bytes(capacityBytes), 64);
  }

  @AfterEach
  void free() {
    arena.close();
  }

  /** Positions begin before those after which an int, a long and a lap turn around. */
  @ParameterizedTest
  @ValueSource(longs = {0, (1L << 31) - 640, (1L << 32) - 640, Long.MAX_VALUE - 639, -640})
  void shouldAgreeWithAQueueInEveryHistory(long start) throws LinkException {
    RingConsumer consumer = new RingConsumer(memory, LONGEST, start);
    RingProducer producer = new RingProducer(memory, LONGEST, start);
    ArrayDeque<byte[]> model = new ArrayDeque<>();
    Random random = new Random(Seeds.seed());
    int refused = 0;
    int empty = 0;
    for (int i = 0; i < STEPS; i++) {
      if (random.nextInt(100) < 50 + 10 * ((i >> 10) % 3 - 1)) {
        byte[] record = record(random);
        MemorySegment.copy(record, 0, bytes, ValueLayout.JAVA_BYTE, 8, record.length);
        int used = model.stream().mapToInt(each -> RingLayout.recordBytes(each.length)).sum();
        boolean offered = producer.offer(bytes, 8, record.length);
        int free = CAPACITY - used - RingLayout.recordBytes(record.length);
        if (offered) {
          assertThat(free).as(Seeds.replay(Seeds.seed())).isPositive();
          model.add(record);
        } else {
          refused++;
          // It may not know of the last quarter that was read.
          assertThat(free).as(Seeds.replay(Seeds.seed())).isLessThanOrEqualTo(CAPACITY / 4);
        }
      } else {
        byte[] expected = model.poll();
        assertThat(consumer.isReady()).as(Seeds.replay(Seeds.seed())).isEqualTo(expected != null);
        int length = consumer.poll(bytes);
        if (expected == null) {
          empty++;
          assertThat(length).as(Seeds.replay(Seeds.seed())).isEqualTo(RingConsumer.NONE);
        } else {
          assertThat(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE))
              .as(Seeds.replay(Seeds.seed()))
              .isEqualTo(expected);
        }
      }
    }
    assertThat(refused).as("offers to a full ring").isPositive();
    assertThat(empty).as("looks into an empty ring").isPositive();
  }

  /** Bytes that would pass for headers, at each place, are among them. */
  private static byte[] record(Random random) {
    byte[] record =
        new byte[random.nextInt(4) == 0 ? random.nextInt(LONGEST + 1) : random.nextInt(130)];
    if (random.nextBoolean()) {
      random.nextBytes(record);
    } else {
      MemorySegment all = MemorySegment.ofArray(record);
      for (int at = 0; at + 4 <= record.length; at += 4) {
        all.set(ValueLayout.JAVA_INT_UNALIGNED, at, 1 + random.nextInt(LONGEST));
      }
    }
    return record;
  }

  /** Numbers that make no sense in any other order, each many times in its record. */
  @Test
  void shouldKeepOrderAndWholenessBetweenTwoThreads() throws Exception {
    int records = Seeds.size(100_000, 100_000_000);
    RingConsumer consumer = new RingConsumer(memory, 256);
    RingProducer producer = new RingProducer(memory, 256);
    Thread writer =
        new Thread(
            () -> {
              MemorySegment from = arena.allocate(256, 64);
              for (int i = 0; i < records && !Thread.currentThread().isInterrupted(); i++) {
                int length = 8 * (1 + i % 32);
                for (int at = 0; at < length; at += 8) {
                  from.set(WORD, at, i);
                }
                offer(producer, from, length);
              }
            });
    writer.start();
    int wrong = 0;
    try {
      for (int i = 0; i < records; i++) {
        int length = poll(consumer, i);
        wrong += length == 8 * (1 + i % 32) ? 0 : 1;
        for (int at = 0; at < length; at += 8) {
          wrong += bytes.get(WORD, at) == i ? 0 : 1;
        }
      }
    } finally {
      writer.interrupt();
      writer.join();
    }
    assertThat(wrong).isZero();
    assertThat(consumer.poll(bytes)).isEqualTo(RingConsumer.NONE);
  }

  private int poll(RingConsumer consumer, int record) throws LinkException {
    int length = consumer.poll(bytes);
    if (length == RingConsumer.NONE) {
      long beginNs = System.nanoTime();
      while (length == RingConsumer.NONE) {
        assertThat(System.nanoTime() - beginNs)
            .as("time for record %s, which is lost", record)
            .isLessThan(LONG_NS);
        Thread.yield();
        length = consumer.poll(bytes);
      }
    }
    return length;
  }

  /** Waits for room, until the thread is interrupted. */
  private static void offer(RingProducer producer, MemorySegment from, int length) {
    try {
      while (!producer.offer(from, 0, length) && !Thread.currentThread().isInterrupted()) {
        Thread.yield();
      }
    } catch (LinkException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldShowNothingOfARecordBeforeItIsWhole() throws LinkException {
    RingProducer producer = new RingProducer(memory, LONGEST);
    RingConsumer consumer = new RingConsumer(memory, LONGEST);
    assertThatThrownBy(() -> producer.offer(bytes, bytes.byteSize() - 8, 64))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(consumer.poll(bytes)).isEqualTo(RingConsumer.NONE);
    assertThat(producer.offer(bytes, 0, 5)).isTrue();
    assertThat(consumer.poll(bytes)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, LONGEST + 2, Integer.MAX_VALUE, 1 << 30})
  void shouldRefuseAHeaderThatCannotBe(int header) {
    RingConsumer consumer = new RingConsumer(memory, LONGEST);
    memory.set(ValueLayout.JAVA_INT, RingLayout.DATA, header);
    assertThatThrownBy(() -> consumer.poll(bytes))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("a record of " + (header - 1L) + " bytes")
        .hasMessageContaining("0 to " + LONGEST);
  }

  @ParameterizedTest
  @ValueSource(longs = {-64, 512, 2048, Long.MAX_VALUE, Long.MIN_VALUE})
  void shouldRefuseAPositionThatCannotBe(long position) throws LinkException {
    RingProducer producer = new RingProducer(memory, LONGEST);
    RingConsumer consumer = new RingConsumer(memory, LONGEST);
    for (int i = 0; i < 3; i++) {
      assertThat(producer.offer(bytes, 0, 190)).isTrue();
    }
    // 768 bytes are used, of which 768 may be seen as read; then 512 would be a step back.
    for (int i = 0; i < 3; i++) {
      consumer.poll(bytes);
    }
    assertThat(producer.hasRoom(LONGEST)).isTrue();
    assertThat(producer.offer(bytes, 0, LONGEST)).isTrue();
    memory.set(WORD, RingLayout.POSITION, position);
    assertThatThrownBy(() -> producer.offer(bytes, 0, LONGEST))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining(String.valueOf(position));
  }

  @Test
  void shouldNameTheLimitWhenARecordOrBufferOrRingDoesNotFit() {
    RingProducer producer = new RingProducer(memory, 100);
    RingConsumer consumer = new RingConsumer(memory, 100);
    assertThatThrownBy(() -> producer.offer(bytes, 0, 101))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("101 bytes where 100");
    assertThatThrownBy(() -> producer.offer(bytes, 0, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> consumer.poll(bytes.asSlice(0, 99)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("99 bytes for records of up to 100");
    assertThatThrownBy(() -> new RingProducer(memory, LONGEST + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes " + LONGEST);
    assertThatThrownBy(() -> new RingProducer(ring(1536), 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("power of two");
  }
}
