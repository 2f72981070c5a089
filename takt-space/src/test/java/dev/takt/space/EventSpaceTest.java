package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class EventSpaceTest {
  private static final SpaceSettings SMALL = SpaceSettings.DEFAULTS.withCapacity(64);

  private final EventSpace space = EventSpace.create(SMALL);

  private static Event order(long id, String side) {
    return new Event("id", id).add("side", side);
  }

  private List<Long> takeIds(Event template) {
    List<Long> ids = new ArrayList<>();
    for (Event event = space.take(template); event != null; event = space.take(template)) {
      ids.add(event.getLong("id"));
    }
    return ids;
  }

  @Test
  void shouldFindEventsThatAreOlderThanTheIndexOfTheTemplate() {
    space.prepare(new Event("id", 1));
    for (long id = 0; id < 5; id++) {
      space.write(order(id, "buy"));
    }
    assertThat(space.take(new Event("id", 2)).getLong("id")).isEqualTo(2);

    // the first use of this set of keys: all four events are from before
    assertThat(space.test(new Event("side", "buy"))).isTrue();
    space.write(order(7, "buy"));

    assertThat(takeIds(new Event("side", "buy"))).containsExactly(0L, 1L, 3L, 4L, 7L);
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldAnswerByAValueWhenTheSpaceIsFull() {
    EventSpace tiny = EventSpace.create(SMALL.withCapacity(1));
    try (Transaction transaction = tiny.newTransaction()) {
      transaction.begin();
      assertThat(transaction.tryWrite(order(1, "buy"))).isTrue();
      assertThat(transaction.tryWrite(order(2, "buy"))).isFalse();
      assertThat(transaction.exceeded()).isNull();
      assertThat(transaction.commit()).isTrue();
    }
    assertThat(tiny.offer(order(3, "buy"))).isFalse();
    assertThat(tiny.take(new Event("id", null)).getLong("id")).isEqualTo(1);
    assertThat(tiny.offer(order(4, "buy"))).isTrue();
    assertThat(tiny.stats().events()).isEqualTo(1);
    assertThatThrownBy(() -> tiny.offer(new Event("id", null)))
        .as("misuse is no answer")
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseTemplateWhenThereAreNoMoreIndexes() {
    EventSpace small = EventSpace.create(SMALL.withMaxIndexes(2));
    small.prepare(new Event("id", 1));
    small.prepare(new Event("side", "buy"));
    small.write(order(1, "buy"));
    Event refused = new Event("id", 1).add("side", "buy");
    Event into = new Event();
    List<ThrowingCallable> operations =
        List.of(
            () -> small.take(refused),
            () -> small.take(refused, Duration.ofDays(1)),
            () -> small.poll(refused, into),
            () -> small.test(refused),
            () -> small.count(new Event()),
            () -> small.takeAll(refused, 1, event -> {}),
            () -> small.forEach(refused, event -> {}),
            () -> small.prepare(refused),
            () -> small.subscribe(refused));
    for (ThrowingCallable operation : operations) {
      assertThatThrownBy(operation)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("limit=2")
          .hasMessageContaining("refused=[")
          .hasMessageContaining("raise SpaceSettings.maxIndexes");
    }
    assertThat(small.stats().subscriptions()).isZero();

    try (Transaction transaction = small.newTransaction()) {
      transaction.begin();
      assertThat(transaction.take(new Event("id", 1), into)).isTrue();
      assertThatThrownBy(() -> transaction.read(refused, into))
          .hasMessageContaining("SpaceSettings.maxIndexes");
      assertThat(transaction.commit())
          .as("a refused template is misuse and undoes nothing")
          .isTrue();
    }
    assertThat(small.test(new Event("side", "buy"))).isFalse();
  }

  @Test
  void shouldLookAtPredicatesOnTheThreadThatLooks() {
    for (long id = 0; id < 10; id++) {
      space.write(order(id, "buy"));
    }

    assertThat(space.take(new Template().matchingLong("id", id -> id > 4)).getLong("id"))
        .isEqualTo(5);
  }

  @Test
  void shouldHoldItsCapacityWhoeverKeepsFreeSlots() {
    EventSpace large = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(4096));
    Transaction[] transactions = new Transaction[20];
    for (int i = 0; i < transactions.length; i++) {
      transactions[i] = large.newTransaction();
      transactions[i].begin();
      for (int k = 0; k < 40; k++) {
        transactions[i].write(order(k, "buy"));
      }
      transactions[i].rollback();
    }

    for (long id = 0; id < 4096; id++) {
      large.write(order(id, "buy"));
    }

    assertThat(large.stats().events()).isEqualTo(4096);
    for (Transaction transaction : transactions) {
      transaction.close();
    }
  }

  @Test
  void shouldReturnNullFromABlockingTakeWhenTheTimeIsOver() throws InterruptedException {
    assertThat(space.take(new Event("id", 1), Duration.ofMillis(1))).isNull();
    assertThat(space.stats().subscriptions()).isZero();
  }

  @Test
  void shouldEndABlockingTakeWhenItsThreadIsInterrupted() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread taker =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    space.take(new Event("id", 1), Duration.ofSeconds(60));
                  } catch (InterruptedException e) {
                    thrown.set(e);
                  }
                });
    taker.interrupt();
    taker.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(space.stats().subscriptions()).isZero();
  }

  @Test
  void shouldDescribeCountersIndexesAndEventsWithTheirState() {
    space.write(order(1, "buy"));
    space.write(order(2, "sell"));
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      transaction.take(new Event("id", 2), new Event());

      assertThat(space.dump(10))
          .contains("events 2 of 64", "index 0: id=, subscriptions 0")
          .contains("[id: 1, side: \"buy\"]")
          .containsPattern("claimed by running transaction \\d+: \\[id: 2, side: \"sell\"]");
      assertThat(space.dump(1)).contains("... and 1 more");
    }
  }
}
