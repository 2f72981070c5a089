package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A transaction that is only tried out leaves nothing behind, whatever it does. */
class RehearsalTest {
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100));
  private final Event into = new Event();

  @Test
  void shouldKeepDirectOperationsInsideAndUndoThem() {
    space.write(new Event("a", 1));
    Handle handle = space.subscribe(ANY_A);
    try (Transaction transaction = space.newTransaction()) {
      transaction.rehearse();
      assertThat(transaction.isRehearsed()).isTrue();
      transaction.writeNow(new Event("a", 2));
      assertThat(space.count(ANY_A)).isEqualTo(1);
      assertThat(transaction.testNow(ANY_A)).isTrue();
      assertThat(transaction.takeNow(ANY_A, into)).isTrue();
      assertThat(into.getLong("a")).isEqualTo(1);
      assertThat(transaction.pollNow(ANY_A, into)).isTrue();
      assertThat(into.getLong("a")).isEqualTo(2);
      assertThat(transaction.pollNow(handle, into)).isFalse();
      assertThat(transaction.testNow(ANY_A)).isFalse();
      transaction.rollback();
    }
    assertThat(space.count(ANY_A)).isEqualTo(1);
    assertThat(space.take(ANY_A).getLong("a")).isEqualTo(1);
    space.unsubscribe(handle);
  }

  @Test
  void shouldRefuseCommitAndActDirectlyAgainAfterwards() {
    try (Transaction transaction = space.newTransaction()) {
      transaction.rehearse();
      assertThatThrownBy(transaction::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rehearse()");
      transaction.rollback();
      transaction.begin();
      assertThat(transaction.isRehearsed()).isFalse();
      transaction.writeNow(new Event("a", 3));
      assertThat(space.count(ANY_A)).isEqualTo(1);
      transaction.rollback();
    }
    assertThat(space.count(ANY_A)).isEqualTo(1);
  }

  @Test
  void shouldNotBeCountedAmongTheTransactions() {
    try (Transaction transaction = space.newTransaction()) {
      for (int i = 0; i < 10; i++) {
        transaction.rehearse();
        transaction.write(new Event("a", i));
        transaction.rollback();
      }
      transaction.begin();
      transaction.rollback();
    }
    assertThat(space.stats().aborts()).isEqualTo(1);
    assertThat(space.stats().commits() + space.stats().conflicts()).isZero();
  }

  @Test
  void shouldReturnSameBoxForNumberReadBefore() {
    BoxCache boxes = new BoxCache();
    Event event = new Event("l", 1_000_000L).add("d", -0.0).add("s", "text").add("w", null);
    Object box = boxes.get(event, "l");
    assertThat(box).isEqualTo(1_000_000L);
    for (long i = 0; i < 100_000; i++) {
      Event other = new Event("l", i);
      assertThat(boxes.get(other, "l")).isEqualTo(i);
    }
    assertThat(boxes.get(event, "l")).isEqualTo(1_000_000L);
    assertThat(boxes.get(event, "d")).isEqualTo(-0.0);
    assertThat(boxes.get(event.add("d", 0.0), "d")).isEqualTo(0.0);
    assertThat(boxes.get(event, "s")).isEqualTo("text");
    assertThat(boxes.get(event, "w")).isNull();
    assertThat(boxes.get(event, "none")).isNull();
  }
}
