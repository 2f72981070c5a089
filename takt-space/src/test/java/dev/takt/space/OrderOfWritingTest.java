package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One taker gets one writer's events in the order of writing, also while the writer commits many at
 * once.
 */
@Timeout(60)
class OrderOfWritingTest {
  private static final int EVENTS = 64 * 30_000;
  private static final int BATCH = 64;
  private static final int MAX_WAITING = 8_192;

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(2 * MAX_WAITING));
  private final Event template = new Event("type", "trade");

  @Test
  void shouldTakeInTheOrderOfWritingWhileTheWriterCommits() throws Exception {
    space.prepare(template);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(this::writeAll, task -> new Thread(task).start());
    long outOfOrder = 0;
    long expected = 0;
    Event event = new Event();
    try (Transaction transaction = space.newTransaction()) {
      while (expected < EVENTS && !writer.isCompletedExceptionally()) {
        transaction.begin(1, 0);
        for (int i = 0; i < BATCH && transaction.poll(template, event); i++) {
          outOfOrder += event.getLong("number") == expected ? 0 : 1;
          expected++;
        }
        assertThat(transaction.commit()).as("a poll has no rival here").isTrue();
      }
    }
    writer.get(10, TimeUnit.SECONDS);
    assertThat(outOfOrder).isZero();
  }

  private void writeAll() {
    Event event = new Event("type", "trade");
    try (Transaction transaction = space.newTransaction()) {
      for (int number = 0; number < EVENTS; ) {
        while (space.stats().events() > MAX_WAITING) {
          Thread.onSpinWait();
        }
        transaction.begin(0, 0);
        for (int i = 0; i < BATCH; i++) {
          transaction.write(event.add("number", number++));
        }
        if (!transaction.commit()) {
          throw new IllegalStateException("a writer has no rival here");
        }
      }
    }
  }
}
