package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleTest {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
  private final List<Handle> told = new ArrayList<>();

  @Test
  void shouldTellTheSubscribersThatMatchAndNoOthers() {
    Handle any = space.subscribe(new Event("id", null), told::add);
    Handle one = space.subscribe(new Event("id", 1), told::add);
    space.subscribe(new Event("id", 2), told::add);
    space.subscribe(new Event("other", null), told::add);

    space.write(new Event("id", 1));

    assertThat(told).containsExactlyInAnyOrder(any, one);
  }

  @Test
  void shouldTellAfterTheCommitAndNotAfterARollback() {
    space.subscribe(new Event("id", 1), told::add);
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      transaction.write(new Event("id", 1));
      transaction.rollback();
      assertThat(told).isEmpty();

      transaction.begin();
      transaction.write(new Event("id", 1));
      assertThat(told).isEmpty();
      transaction.commit();
    }
    assertThat(told).hasSize(1);
  }

  @Test
  void shouldEndIterationWellWhenOthersAreQuicker() {
    Handle handle = space.subscribe(new Event("type", "a"));
    space.write(new Event("type", "a").add("id", 1L));
    Iterator<Event> matches = handle.iterator();

    assertThat(matches.hasNext()).isTrue();
    assertThat(space.take(new Event("type", "a"))).as("what another taker still finds").isNull();
    assertThat(matches.hasNext()).as("asked once more").isTrue();
    assertThat(matches.next().getLong("id")).isEqualTo(1);
    assertThat(matches.hasNext()).isFalse();
  }

  @Test
  void shouldForgetWhatAnUndoneIterationHadTaken() {
    Handle handle = space.subscribe(new Event("type", "a"));
    space.write(new Event("type", "a").add("id", 1L));
    handle.iterator().hasNext();

    assertThat(handle.iterator().hasNext()).as("of an iteration begun anew").isFalse();
  }

  @Test
  void shouldTakeMatchesInOrder() {
    Handle handle = space.subscribe(new Event("type", "a"));
    for (long id = 0; id < 3; id++) {
      space.write(new Event("type", "a").add("id", id));
    }
    List<Long> ids = new ArrayList<>();
    for (Event event : handle) {
      ids.add(event.getLong("id"));
    }

    assertThat(ids).containsExactly(0L, 1L, 2L);
    assertThat(handle.hasNext()).isFalse();
    assertThat(handle.next()).isNull();
    assertThat(space.count(new Event())).isZero();
  }

  /** A rollback could not give back what it took directly. */
  @Test
  void shouldTakeNothingWhenTheSubscribersTransactionHasLost() {
    Transaction transaction = space.newTransaction();
    Subscriber subscriber =
        new Subscriber() {
          @Override
          public void onMatch(Handle handle) {}

          @Override
          public Transaction transaction() {
            return transaction.isBegun() ? transaction : null;
          }
        };
    Event event = new Event("id", 1);
    Handle handle = space.subscribe(new Event("id", null), subscriber);
    transaction.begin();
    assertThat(transaction.test(event)).isFalse();
    space.transact(
        1,
        other -> {
          other.write(event);
          return null;
        });

    assertThat(transaction.isRunning()).isFalse();
    assertThatThrownBy(handle::next).isInstanceOf(Abort.class);
    transaction.close();
    assertThat(space.test(event)).isTrue();
  }

  @Test
  void shouldReadInTheSubscribersTransaction() {
    Transaction transaction = space.newTransaction();
    Subscriber subscriber =
        new Subscriber() {
          @Override
          public void onMatch(Handle handle) {}

          @Override
          public Transaction transaction() {
            return transaction.isBegun() ? transaction : null;
          }
        };
    Handle handle = space.subscribe(new Event("id", null), subscriber);
    space.write(new Event("id", 1));

    transaction.begin();
    assertThat(handle.hasNext()).isTrue();
    assertThat(handle.next().getLong("id")).isEqualTo(1);
    assertThat(handle.hasNext()).isFalse();
    transaction.rollback();
    assertThat(handle.hasNextNow()).isTrue();

    transaction.begin();
    assertThat(handle.nextNow().getLong("id")).isEqualTo(1);
    transaction.rollback();
    assertThat(handle.hasNextNow()).isFalse();
    transaction.close();
  }

  @Test
  void shouldCountAsTakenWhatIsCommittedOnly() {
    Transaction transaction = space.newTransaction();
    Subscriber subscriber =
        new Subscriber() {
          @Override
          public void onMatch(Handle handle) {}

          @Override
          public Transaction transaction() {
            return transaction.isBegun() ? transaction : null;
          }
        };
    Handle first = space.subscribe(new Event("a", null), subscriber);
    Handle second = space.subscribe(new Event("b", null), subscriber);
    for (int i = 0; i < 9; i++) {
      space.write(new Event("a", i));
      space.write(new Event("b", i));
    }
    transaction.begin();
    takeInTurns(first, second);
    assertThat(transaction.matches()).isEqualTo(9);
    transaction.rollback();
    assertThat(first.taken() + second.taken()).isZero();

    transaction.begin();
    takeInTurns(first, second);
    first.nextNow();
    assertThat(first.taken() + second.taken()).isEqualTo(1);
    assertThat(transaction.commit()).isTrue();
    assertThat(first.taken()).isEqualTo(7);
    assertThat(second.taken()).isEqualTo(3);
    transaction.begin();
    assertThat(transaction.matches()).isZero();
    transaction.close();
  }

  private static void takeInTurns(Handle first, Handle second) {
    for (int i = 0; i < 3; i++) {
      assertThat(first.next()).isNotNull();
      assertThat(first.next()).isNotNull();
      assertThat(second.next()).isNotNull();
    }
  }

  @Test
  void shouldKeepItsTemplateWhenTheCallersChanges() {
    Event template = new Event("id", 1);
    Handle handle = space.subscribe(template, told::add);
    template.add("id", 2);
    handle.template().add("id", 3);

    space.write(new Event("id", 1));

    assertThat(told).containsExactly(handle);
  }

  @Test
  void shouldRespectTheConditionsOfItsTemplate() {
    Handle handle = space.subscribe(new Template().atLeast("price", 10.0));
    space.write(new Event("price", 9.0));
    assertThat(handle.hasNextNow()).isFalse();
    space.write(new Event("price", 10.0));

    assertThat(handle.next().getDouble("price")).isEqualTo(10.0);
  }

  @Test
  void shouldStopTellingAfterUnsubscribe() {
    Handle handle = space.subscribe(new Event("id", 1), told::add);
    space.unsubscribe(handle);
    space.write(new Event("id", 1));

    assertThat(told).isEmpty();
    assertThat(handle.isSubscribed()).isFalse();
    assertThat(handle.hasNextNow()).isFalse();
    assertThatThrownBy(handle::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unsubscribe");
    assertThatThrownBy(() -> space.unsubscribe(handle)).hasMessageContaining("unsubscribed twice");
  }

  @Test
  void shouldRefuseTheEmptyTemplateAndTooManySubscriptions() {
    assertThatThrownBy(() -> space.subscribe(new Event())).hasMessageContaining("empty template");

    EventSpace bounded =
        EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withMaxSubscriptions(2));
    bounded.subscribe(new Event("id", 1));
    Handle second = bounded.subscribe(new Event("id", 1));
    assertThatThrownBy(() -> bounded.subscribe(new Event("id", 2)))
        .hasMessageContaining("limit=2")
        .hasMessageContaining("maxSubscriptions");

    bounded.unsubscribe(second);
    bounded.subscribe(new Event("id", 2));
    assertThatThrownBy(() -> space.unsubscribe(second)).hasMessageContaining("another space");
  }
}
