package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One taker gets each writer's events in the order of writing, also while the writer commits many
 * at once, and also if they were written before anybody asked for them.
 */
@Timeout(60)
class OrderOfWritingTest {
  private static final int EVENTS = 64 * 30_000;
  private static final int BATCH = 64;
  private static final int MAX_WAITING = 8_192;
  private static final int WRITERS = 2;

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

  @Test
  void shouldTakeInTheOrderOfEachWriterByAnIndexThatComesLater() throws Exception {
    writeTogether(space, MAX_WAITING);
    assertInOrder(space, MAX_WAITING);
  }

  /** Two writers at once, each with as many events. */
  private static void writeTogether(EventSpace space, int count) throws Exception {
    CyclicBarrier together = new CyclicBarrier(WRITERS);
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Event event = new Event("type", "trade").add("writer", i);
      CompletableFuture<Void> done = new CompletableFuture<>();
      writers.add(done);
      new Thread(
              () -> {
                try {
                  together.await();
                  for (int number = 0; number < count; number++) {
                    space.write(event.add("number", number));
                  }
                  done.complete(null);
                } catch (Exception e) {
                  done.completeExceptionally(e);
                }
              })
          .start();
    }
    for (CompletableFuture<Void> each : writers) {
      each.get(30, TimeUnit.SECONDS);
    }
  }

  private void assertInOrder(EventSpace space, int count) {
    long[] next = new long[WRITERS];
    for (Event event = space.take(template); event != null; event = space.take(template)) {
      int writer = (int) event.getLong("writer");
      assertThat(event.getLong("number")).as("next of writer %d", writer).isEqualTo(next[writer]++);
    }
    assertThat(next).containsOnly(count);
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
