package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters that begin shortly before their ends, and events that are older than a turn of them. */
@Timeout(60)
class WrapAroundTest {
  private static final SpaceSettings SETTINGS = SpaceSettings.DEFAULTS.withCapacity(64);
  private static final int MOVES = 20_000;

  /**
   * Its writer's epochs have begun again meanwhile, and come to the one in which it was written.
   */
  @Test
  void shouldFindEventWhenItsWriterIsInTheSameEpochAgain() {
    EventSpace space = EventSpace.create(SETTINGS);
    Event old = new Event("type", "configuration");
    try (Transaction writer = space.newTransaction()) {
      writer.begin();
      writer.write(old);
      writer.commit();
      long written = writer.epoch;

      writer.epoch = (1L << 47) - 1;
      writer.begin();
      writer.rollback();
      writer.epoch = EventSlots.EPOCH_MASK;
      writer.begin();
      writer.rollback();
      writer.epoch = written - 1;
      writer.begin();

      assertThat(writer.epoch).isEqualTo(written);
      assertThat(space.test(old)).as("while it runs").isTrue();
      writer.rollback();
      assertThat(space.test(old)).as("after it was rolled back").isTrue();
      assertThat(space.take(old)).isNotNull();
    }
  }

  @Test
  void shouldRespectGuardWhenEpochsBeginAgain() {
    EventSpace space =
        new EventSpace(SETTINGS, new InitialCounters(0, 0, EventSlots.EPOCH_MASK, 0, 0));
    Event event = new Event("type", "event");
    try (Transaction reader = space.newTransaction()) {
      reader.begin();
      assertThat(reader.epoch).isZero();
      assertThat(reader.test(event)).isFalse();
      try (Transaction writer = space.newTransaction()) {
        writer.begin(1, 0);
        writer.write(event);
        assertThat(writer.commit()).isTrue();
      }
      assertThat(reader.commit()).as("it has counted on the absence").isFalse();
    }
  }

  /**
   * One event stays, others are moved behind it by several threads, across the end of a counter.
   */
  @ParameterizedTest
  @ValueSource(ints = {31, 32, 36, 47, 48, 63})
  void shouldKeepEventsWhenThreadsPassTheEndOfACounter(int bits) throws Exception {
    long soon = (1L << bits) - MOVES / 2;
    EventSpace space = new EventSpace(SETTINGS, new InitialCounters(soon, soon, soon, soon, soon));
    Event template = new Event("type", "token").add("number", null);
    Event old = new Event("type", "token").add("number", -1).add("stays", true);
    space.prepare(template);
    space.write(old);
    for (int number = 0; number < 8; number++) {
      space.write(new Event("type", "token").add("number", number).add("moves", true));
    }
    List<CompletableFuture<Void>> movers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      movers.add(CompletableFuture.runAsync(() -> move(space), task -> new Thread(task).start()));
    }
    for (CompletableFuture<Void> mover : movers) {
      mover.get(50, TimeUnit.SECONDS);
    }

    assertThat(space.take(template)).as("the oldest of all").isEqualTo(old);
    List<Long> left = new ArrayList<>();
    for (Event event = space.take(template); event != null; event = space.take(template)) {
      left.add(event.getLong("number"));
    }
    assertThat(left).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(space.stats().events()).isZero();
  }

  private static void move(EventSpace space) {
    Event moving = new Event("type", "token").add("moves", null);
    Event into = new Event();
    for (int i = 0; i < MOVES; i++) {
      space.transact(
          transaction -> {
            if (transaction.poll(moving, into)) {
              transaction.write(into);
            }
          });
    }
  }
}
