package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Taken events stay linked for a while, and nobody notices. */
class DeferredRemovalsTest {
  private static final int CAPACITY = 4_096;
  private static final int GROUP = 32;

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS.withCapacity(CAPACITY).withMaxEventBytes(16).withMaxReferences(0));
  private final Event template = new Event("queue", 1);
  private final Event into = new Event();

  private Event event(long number) {
    return new Event("queue", 1).add("number", number);
  }

  private void write(Transaction transaction, Event event) {
    transaction.begin();
    transaction.write(event);
    assertThat(transaction.commit()).isTrue();
  }

  private long take(Transaction transaction) {
    transaction.begin();
    boolean found = transaction.take(template, into);
    assertThat(transaction.commit()).isTrue();
    return found ? into.getLong("number") : -1;
  }

  private int linked() {
    return linked(space, template);
  }

  private static int linked(EventSpace space, Event template) {
    space.prepare(template);
    Index index = space.table.plan(template).index;
    int bucket = index.bucket(space.table.plan(template).fingerprint(template));
    int linked = 0;
    for (long link = index.headAcquire(bucket);
        !Index.isEnd(link);
        link = index.nextAcquire(Index.slot(link))) {
      linked++;
    }
    return linked;
  }

  @Test
  void shouldLeaveTheListTogetherWhenAGroupIsFull() {
    space.prepare(template);
    try (Transaction transaction = space.newTransaction();
        Transaction writer = space.newTransaction()) {
      for (long number = 0; number < 3 * GROUP; number++) {
        write(writer, event(number));
        assertThat(take(transaction)).isEqualTo(number);
        assertThat(linked()).as("after %d", number).isLessThanOrEqualTo(GROUP);
      }
      assertThat(linked()).as("put off").isPositive();
      assertThat(space.stats().events()).isZero();
      assertThat(space.count(template)).isZero();
    }
  }

  @Test
  void shouldFreeItsOwnEventsAtOnce() {
    space.prepare(template);
    try (Transaction transaction = space.newTransaction()) {
      for (long number = 0; number < GROUP; number++) {
        write(transaction, event(number));
        assertThat(take(transaction)).isEqualTo(number);
        assertThat(linked()).as("after %d", number).isZero();
      }
    }
  }

  @Test
  void shouldKeepTheWholeCapacityWhateverIsPutOff() {
    List<Transaction> takers = new ArrayList<>();
    Transaction writer = space.newTransaction();
    for (int i = 0; i < 20; i++) {
      Transaction taker = space.newTransaction();
      takers.add(taker);
      for (int j = 0; j < 10 + i; j++) {
        write(writer, event(j));
        take(taker);
      }
    }
    for (int round = 0; round < 3; round++) {
      for (long number = 0; number < CAPACITY; number++) {
        write(number % 2 == 0 ? writer : takers.get((int) number % takers.size()), event(number));
      }
      assertThat(space.stats().events()).isEqualTo(CAPACITY);
      for (long number = 0; number < CAPACITY; number++) {
        assertThat(take(takers.get((int) (number / 40) % takers.size()))).isEqualTo(number);
      }
      assertThat(take(takers.getFirst())).isEqualTo(-1);
    }
    takers.forEach(Transaction::close);
    writer.close();
  }

  @Test
  void shouldTellAHandleWhereTheEventsThatAreThereBegin() {
    Handle handle = space.subscribe(template);
    try (Transaction transaction = space.newTransaction();
        Transaction writer = space.newTransaction()) {
      for (long number = 0; number < 5 * GROUP; number++) {
        assertThat(handle.hasNextNow()).as("before %d", number).isFalse();
        write(writer, event(number));
        assertThat(handle.hasNextNow()).as("after %d", number).isTrue();
        if (number % 3 == 0) {
          assertThat(handle.nextNow(into)).isTrue();
          assertThat(into.getLong("number")).isEqualTo(number);
        } else {
          assertThat(take(transaction)).isEqualTo(number);
        }
      }
    }
  }

  @Test
  void shouldTakeTwoListsInTurnInTheirOrders() {
    Event other = new Event("queue", 2);
    try (Transaction transaction = space.newTransaction();
        Transaction writer = space.newTransaction()) {
      for (long number = 0; number < 200; number++) {
        write(writer, event(number));
        write(writer, other.copy().add("number", number));
      }
      for (long number = 0; number < 200; number++) {
        assertThat(take(transaction)).isEqualTo(number);
        if (number % 5 == 4) {
          for (long of = number - 4; of <= number; of++) {
            transaction.begin();
            assertThat(transaction.take(other, into)).isTrue();
            assertThat(into.getLong("number")).isEqualTo(of);
            assertThat(transaction.commit()).isTrue();
          }
        }
      }
      assertThat(space.stats().events()).isZero();
    }
  }

  /** Also in the smallest space that keeps anything, and in an index that is not the first. */
  @ParameterizedTest
  @CsvSource({"127, 0", "255, 0", "256, 2", "512, 4", "4096, 32", "8192, 32"})
  void shouldPutOffAsManyAsAreInAGroup(int capacity, int group) {
    EventSpace some = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(capacity));
    some.prepare(new Event("another", 1));
    some.prepare(template);
    int most = 0;
    try (Transaction taker = some.newTransaction();
        Transaction writer = some.newTransaction()) {
      for (int number = 0; number < 3 * GROUP; number++) {
        write(writer, event(number));
        assertThat(take(taker)).isEqualTo(number);
        int linked = linked(some, template);
        // the first one is not known to have followers
        int expected = group == 0 || number == 0 ? 0 : (number - 1) % group + 1;
        assertThat(linked).as("after %d", number).isEqualTo(expected);
        most = Math.max(most, linked);
      }
    }
    assertThat(most).isEqualTo(group);
  }

  @Test
  void shouldLeaveItsListWhenItsTakerTurnsToAnother() {
    Event other = new Event("other", 1);
    space.prepare(template);
    space.prepare(other);
    try (Transaction taker = space.newTransaction();
        Transaction writer = space.newTransaction()) {
      for (long number = 0; number < 10; number++) {
        write(writer, event(number));
        assertThat(take(taker)).isEqualTo(number);
      }
      assertThat(linked()).isEqualTo(9);
      write(writer, other);
      taker.begin();
      assertThat(taker.take(other, into)).isTrue();
      assertThat(taker.commit()).isTrue();
      assertThat(linked()).isZero();
      assertThat(linked(space, other)).isZero();
    }
  }

  @Test
  void shouldFreeAtOnceWhatIsNotInTheListThatWasTakenFromLast() {
    Event other = new Event("other", 1);
    space.prepare(other);
    space.prepare(template);
    try (Transaction taker = space.newTransaction();
        Transaction writer = space.newTransaction()) {
      for (long number = 0; number < 5; number++) {
        write(writer, event(number));
        assertThat(take(taker)).isEqualTo(number);
      }
      write(writer, other);
      write(writer, event(5));
      taker.begin();
      assertThat(taker.take(other, into)).isTrue();
      assertThat(taker.take(template, into)).isTrue();
      assertThat(taker.commit()).isTrue();
      assertThat(linked(space, other)).isZero();
      assertThat(linked()).isEqualTo(5);
    }
  }
}
