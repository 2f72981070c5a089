package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Bad input to a space has a defined error, which names value, limit and remedy, and harms nothing.
 */
class SpaceMisuseTest {
  private static final int CAPACITY = 8;

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS
              .withCapacity(CAPACITY)
              .withMaxEventBytes(32)
              .withMaxReferences(1)
              .withMaxIndexes(8)
              .withMaxSubscriptions(2)
              .withMaxTransactions(3)
              .withMaxOperations(4));

  private final Event good = new Event("key", 1);

  @AfterEach
  void shouldStillWorkAsIfNothingHadHappened() {
    for (int i = 0; i < CAPACITY; i++) {
      space.write(new Event("after", i));
    }
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(space.take(new Event("after", null)).getLong("after")).isEqualTo(i);
    }
    assertThat(space.test(new Event("after", null))).isFalse();
    assertThat(space.take(new Event())).as("left over").isNull();
  }

  private static void assertRefused(
      Class<? extends RuntimeException> type, ThrowingCallable call, String... says) {
    assertThatThrownBy(call).isInstanceOf(type).hasMessageContainingAll(says);
  }

  @Test
  void shouldRefuseNullForEveryArgument() {
    assertThatThrownBy(() -> space.write(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.take(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.take(good, (Event) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.take(null, Duration.ofMillis(1)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.take(good, (Duration) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.test(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.read(good, (Event) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.takeAll(null, 1, event -> {}))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.count(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.prepare(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.subscribe(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.subscribe(good, (Subscriber) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.unsubscribe(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.transact(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> EventSpace.create(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void shouldKeepTheEventWhenItIsTakenIntoNull() {
    space.write(good);
    assertThatThrownBy(() -> space.take(good, (Event) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.transact(tx -> tx.take(good, null)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.transact(tx -> tx.poll(good, null)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.transact(tx -> tx.takeNow(good, null)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space.takeAll(good, 1, null)).isInstanceOf(NullPointerException.class);
    assertThat(space.take(good)).as("the event that nobody could take").isNotNull();
  }

  @Test
  void shouldRefuseNullKeysAndWrongTypesInEvents() {
    assertThatThrownBy(() -> new Event().add(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new Event(null, null)).isInstanceOf(NullPointerException.class);
    assertRefused(
        IllegalArgumentException.class,
        () -> new Event("key", new Object()),
        "java.lang.Object",
        "key",
        "use ");
    assertRefused(
        IllegalArgumentException.class, () -> new Event("key", new Object[0]), "Object[]", "use ");
    assertRefused(IllegalArgumentException.class, () -> new Event("key", List.of()), "key", "use ");
    assertRefused(ClassCastException.class, () -> good.getString("key"), "key", "integer");
    assertRefused(java.util.NoSuchElementException.class, () -> good.getLong("other"), "other");
  }

  @Test
  void shouldRefuseToWriteTemplates() {
    assertRefused(
        IllegalArgumentException.class,
        () -> space.write(new Event("key", null)),
        "template",
        "give each key");
    assertRefused(
        IllegalArgumentException.class,
        () -> space.write(new Template().atLeast("key", 1)),
        "template");
  }

  @Test
  void shouldWriteAndTakeTheEmptyEvent() {
    space.write(new Event());
    assertThat(space.test(new Event("key", null))).isFalse();
    assertThat(space.take(new Event()).size()).isZero();
  }

  @Test
  void shouldRefuseOversizedEvents() {
    Event keys = new Event();
    for (int i = 0; i < 5; i++) {
      keys.add("k" + i, i);
    }
    assertRefused(
        IllegalArgumentException.class,
        () -> space.write(keys),
        "40 bytes",
        "limit=32",
        "SpaceSettings.maxEventBytes");
    assertRefused(
        IllegalArgumentException.class,
        () -> space.write(new Event("key", new long[10])),
        "limit=32",
        "maxEventBytes");
    assertRefused(
        IllegalArgumentException.class,
        () -> space.write(new Event("a", "1").add("b", "2")),
        "references",
        "2",
        "limit=1",
        "SpaceSettings.maxReferences");
    space.write(new Event("a", 1).add("b", 2).add("c", 3).add("d", "exactly"));
    assertThat(space.take(new Event("d", "exactly"))).isNotNull();
  }

  @Test
  void shouldRefuseWritesIntoAFullSpaceAndKeepWhatIsThere() {
    for (int i = 0; i < CAPACITY; i++) {
      space.write(new Event("n", i));
    }
    Abort abort = catchThrowableOfType(Abort.class, () -> space.write(good));
    assertThat(abort.reason()).isEqualTo(Abort.Reason.SPACE_FULL);
    assertThat(abort)
        .hasMessageContainingAll("capacity=" + CAPACITY, "raise SpaceSettings.capacity");
    Abort inside =
        catchThrowableOfType(
            Abort.class,
            () ->
                space.transact(
                    tx -> {
                      tx.take(new Event("n", 0));
                      tx.write(good);
                    }));
    assertThat(inside.reason()).isEqualTo(Abort.Reason.SPACE_FULL);
    List<Long> left = new ArrayList<>();
    space.takeAll(new Event(), 4, event -> left.add(event.getLong("n")));
    space.takeAll(new Event(), 4, event -> left.add(event.getLong("n")));
    assertThat(left).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
  }

  @Test
  void shouldFindNothingForATemplateOnAMissingKey() throws InterruptedException {
    space.write(good);
    Event missing = new Event("no such key", null);
    assertThat(space.take(missing)).isNull();
    assertThat(space.test(missing)).isFalse();
    assertThat(space.count(missing)).isZero();
    assertThat(space.take(missing, Duration.ZERO)).isNull();
    assertThat(space.take(missing, Duration.ofSeconds(-1))).isNull();
    assertThat(space.take(new Event("key", 1).add("no such key", 1))).isNull();
    assertThat(space.take(good)).isNotNull();
  }

  @Test
  void shouldRefuseLimitsOutOfRange() {
    assertRefused(
        IllegalArgumentException.class,
        () -> SpaceSettings.DEFAULTS.withCapacity(0),
        "capacity=0",
        "expected: 1 to");
    assertRefused(
        IllegalArgumentException.class,
        () -> SpaceSettings.DEFAULTS.withMaxTransactions(1),
        "maxTransactions=1",
        "2");
    assertRefused(
        IllegalArgumentException.class,
        () -> space.takeAll(good, -1, event -> {}),
        "max=-1",
        "0 to 4");
    assertRefused(
        IllegalArgumentException.class,
        () -> space.takeAll(good, 5, event -> {}),
        "max=5",
        "SpaceSettings.maxOperations");
  }

  @Test
  void shouldKeepTheSpaceWhenATakeAllsSinkThrows() {
    space.write(good);
    assertThatThrownBy(
            () ->
                space.takeAll(
                    good,
                    1,
                    event -> {
                      throw new IllegalStateException("sink");
                    }))
        .hasMessage("sink");
    // The transaction was committed before the sink was given the event, as takeAll says.
    assertThat(space.take(good)).isNull();
  }

  @Test
  void shouldRollBackWhenTheBodyOfATransactionThrows() {
    space.write(good);
    assertThatThrownBy(
            () ->
                space.transact(
                    tx -> {
                      tx.take(good);
                      tx.write(new Event("other", 1));
                      throw new IllegalStateException("body");
                    }))
        .hasMessage("body");
    assertThat(space.take(good)).isNotNull();
    assertThat(space.test(new Event("other", 1))).isFalse();
  }

  @Test
  void shouldRefuseUseOfAnEventAfterItsRelease() {
    EventPool pool = new EventPool(1);
    Event borrowed = pool.next().add("key", 1);
    pool.reclaim();
    assertThatThrownBy(() -> space.write(borrowed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.take(borrowed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.test(borrowed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.subscribe(borrowed)).isInstanceOf(IllegalStateException.class);
    space.write(good);
    assertThatThrownBy(() -> space.take(good, borrowed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.read(good, borrowed)).isInstanceOf(IllegalStateException.class);
    assertThat(space.take(good))
        .as("the event that could not be taken into an expired one")
        .isNotNull();
  }
}
