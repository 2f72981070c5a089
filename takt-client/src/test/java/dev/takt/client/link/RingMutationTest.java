package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever is written into the memory of a ring, either side ends with a value or its own error.
 */
class RingMutationTest {
  private static final int CAPACITY = 2048;
  private static final int LONGEST = 300;
  private static final int CHANGES = 1_000_000;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(RingProducer.bytes(CAPACITY), 64);

  @AfterEach
  void free() {
    arena.close();
  }

  @Test
  void shouldRefuseOrGoOnAfterEveryChange() {
    Random random = new Random(Seeds.seed());
    Side side = new Side();
    for (int i = 0; i < CHANGES; i++) {
      change(random);
      side.step();
    }
    assertThat(side.refusedRecords).as(Seeds.replay(Seeds.seed())).isPositive();
    assertThat(side.refusedPositions).as(Seeds.replay(Seeds.seed())).isPositive();
    assertThat(side.received).as(Seeds.replay(Seeds.seed())).isPositive();
    assertThat(side.isMarkIntact()).as("what is behind the longest record").isTrue();
  }

  @Test
  void shouldRefuseOrGoOnWhileAnotherThreadChangesTheMemory() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    Thread changing =
        new Thread(
            () -> {
              Random random = new Random(Seeds.seed());
              for (int i = 0; i < CHANGES && !isOver.get(); i++) {
                change(random);
              }
              isOver.set(true);
            });
    changing.start();
    Side side = new Side();
    try {
      while (!isOver.get()) {
        side.step();
      }
    } finally {
      isOver.set(true);
      changing.join();
    }
    assertThat(side.isMarkIntact()).isTrue();
  }

  /** Words that mean something are changed more often, and to what is nearly right. */
  private void change(Random random) {
    long at =
        switch (random.nextInt(4)) {
          case 0 -> RingLayout.POSITION;
          case 1, 2 -> RingLayout.DATA + 64L * random.nextInt(CAPACITY / 64);
          default -> 8L * random.nextInt((int) (memory.byteSize() / 8));
        };
    long value =
        switch (random.nextInt(4)) {
          case 0 -> random.nextLong();
          case 1 -> random.nextInt(-2, LONGEST + 4);
          case 2 -> 1L << random.nextInt(64);
          default -> memory.get(ValueLayout.JAVA_LONG, at) + 64L * random.nextInt(-2, 3);
        };
    memory.set(ValueLayout.JAVA_LONG, at, value);
  }

  /** Reads and writes the ring that is changed, and begins again after a refusal. */
  private final class Side {
    private static final byte MARK = 0x55;
    private final MemorySegment bytes = arena.allocate(LONGEST + 64, 64);
    private RingProducer producer = new RingProducer(memory, LONGEST);
    private RingConsumer consumer = new RingConsumer(memory, LONGEST);
    private int refusedRecords;
    private int refusedPositions;
    private int received;
    private int steps;

    Side() {
      bytes.fill(MARK);
    }

    void step() {
      steps++;
      try {
        producer.offer(bytes, 0, steps % (LONGEST + 1));
      } catch (LinkException e) {
        refusedPositions++;
        producer = new RingProducer(memory, LONGEST);
      }
      try {
        int length = consumer.poll(bytes.asSlice(0, LONGEST));
        if (length < RingConsumer.NONE || length > LONGEST) {
          throw new AssertionError("a record of " + length + " bytes");
        }
        received += length >= 0 ? 1 : 0;
      } catch (LinkException e) {
        refusedRecords++;
        memory.asSlice(RingLayout.DATA).fill((byte) 0);
        consumer = new RingConsumer(memory, LONGEST);
      }
    }

    boolean isMarkIntact() {
      boolean intact = true;
      for (long at = LONGEST; at < bytes.byteSize(); at++) {
        intact &= bytes.get(ValueLayout.JAVA_BYTE, at) == MARK;
      }
      return intact;
    }
  }
}
