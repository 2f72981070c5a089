package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who is told of which event. */
class AnnouncementTest {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
  private final AtomicInteger told = new AtomicInteger();

  @Test
  void shouldTellSubscriptionWithNewKeysThatIsMadeWhileOthersAreTold() {
    Event second = new Event("name", "second").add("price", 2);
    space.subscribe(
        new Event("name", "first"),
        first -> space.subscribe(new Event("price", 2), handle -> told.incrementAndGet()));
    space.transact(
        transaction -> {
          transaction.write(new Event("name", "first"));
          transaction.write(second);
        });
    assertThat(told).hasValue(1);
  }

  @Test
  void shouldTellOnlyOfEventsThatSatisfyTheConditions() {
    space.subscribe(
        new Template("type", "sell").atMost("price", 10), handle -> told.incrementAndGet());
    space.write(new Event("type", "sell").add("price", 11));
    space.write(new Event("type", "sell").add("price", "a string"));
    assertThat(told).hasValue(0);
    space.write(new Event("type", "sell").add("price", 9));
    assertThat(told).hasValue(1);
  }

  @Test
  void shouldTellOnlyThoseWhoWantNotice() {
    Event event = new Event("type", "sell");
    Handle quiet =
        space.subscribe(
            event,
            new Subscriber() {
              @Override
              public boolean wantsNotice() {
                return false;
              }

              @Override
              public void onMatch(Handle handle) {
                told.addAndGet(100);
              }
            });
    space.write(event);
    assertThat(quiet.next()).as("it looks itself").isEqualTo(event);
    Handle other = space.subscribe(event, handle -> told.incrementAndGet());
    space.write(event);
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      assertThat(transaction.poll(event, new Event())).isTrue();
      transaction.rollback();
    }

    assertThat(told).as("of the write, and of what was given back").hasValue(2);
    assertThat(space.stats().subscriptions()).isEqualTo(2);
    assertThat(space.dump(5)).contains("subscriptions 2").contains("taken 1").contains("taken 0");

    space.unsubscribe(quiet);
    space.unsubscribe(other);
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.dump(5)).doesNotContain("taken");
  }

  @Test
  void shouldTellOfAnEventThatIsGivenBack() {
    Event event = new Event("type", "sell").add("price", 5);
    space.write(event);
    space.subscribe(event, handle -> told.incrementAndGet());
    space.subscribe(new Event("type", null), handle -> told.incrementAndGet());
    space.subscribe(new Template("type", "sell").atMost("price", 4), handle -> told.addAndGet(100));
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      assertThat(transaction.poll(event, new Event())).isTrue();
      transaction.rollback();
      assertThat(told).as("after it was rolled back").hasValue(2);

      transaction.begin(0, 0);
      assertThat(transaction.poll(event, new Event())).isTrue();
      Event taken = space.transact(1, stronger -> stronger.take(event));
      assertThat(taken).isEqualTo(event);
      assertThat(transaction.commit()).isFalse();
      assertThat(told).as("the stronger one has it").hasValue(2);
    }
  }

  @Test
  void shouldGoOnWhenAPredicateThrowsAfterTheCommit() {
    List<Throwable> thrown = new ArrayList<>();
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
    space.subscribe(
        new Template("type", "sell")
            .matchingLong(
                "price",
                price -> {
                  throw new IllegalStateException("predicate");
                }),
        handle -> told.addAndGet(100));
    space.subscribe(new Event("type", "sell"), handle -> told.incrementAndGet());
    thread.setUncaughtExceptionHandler((any, failure) -> thrown.add(failure));
    try {
      space.write(new Event("type", "sell").add("price", 1));
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }
    assertThat(told).hasValue(1);
    assertThat(thrown).hasSize(1);
    assertThat(space.stats().events()).isEqualTo(1);
  }
}
