package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reading without a promise, and reading all matches, in transactions and outside of them. */
class ReadingAllTest {
  private static final Event ORDERS = new Event("type", "order").add("id", null);

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS.withCapacity(256).withMaxOperations(64).withPatience(20));
  private final Transaction transaction = space.newTransaction();
  private final Transaction other = space.newTransaction();
  private final Event into = new Event();

  @AfterEach
  void close() {
    transaction.close();
    other.close();
  }

  private static Event order(long id) {
    return new Event("type", "order").add("id", id);
  }

  private List<Long> orders() {
    List<Long> ids = new ArrayList<>();
    assertThat(space.forEach(ORDERS, event -> ids.add(event.getLong("id")))).isEqualTo(ids.size());
    return ids;
  }

  private List<Long> orders(Transaction of) {
    List<Long> ids = new ArrayList<>();
    assertThat(of.forEach(ORDERS, event -> ids.add(event.getLong("id")))).isEqualTo(ids.size());
    return ids;
  }

  // ---- peek

  @Test
  void shouldCommitWhenAMatchArrivesAfterAPeekThatFoundNothing() {
    transaction.begin();
    assertThat(transaction.peek(order(1), into)).isFalse();
    transaction.write(new Event("type", "done"));
    space.write(order(1));
    assertThat(transaction.commit()).isTrue();
  }

  @Test
  void shouldLoseAgainstAWriterAfterAReadThatFoundNothing() {
    transaction.begin();
    assertThat(transaction.read(order(1), into)).isFalse();
    transaction.write(new Event("type", "done"));
    space.write(order(1));
    assertThat(transaction.commit()).isFalse();
  }

  @Test
  void shouldGuardWhatAPeekHasFoundAndPassOverWhatOthersHaveClaimed() {
    space.write(order(1));
    other.begin();
    assertThat(other.take(order(1), into)).isTrue();
    transaction.begin();
    assertThat(transaction.peek(order(1), into)).isFalse();
    assertThat(other.commit()).isTrue();
    space.write(order(2));
    assertThat(transaction.peek(order(2), into)).isTrue();
    assertThat(space.take(order(2), into)).isTrue();
    assertThat(transaction.commit()).isFalse();
  }

  // ---- outside of transactions

  @Test
  void shouldGiveAllMatchesTheOldestFirstAndLeaveThem() {
    for (long id = 9; id > 0; id--) {
      space.write(order(id));
      space.write(new Event("type", "offer").add("id", id));
    }
    assertThat(orders()).containsExactly(9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
    assertThat(space.count(new Event())).isEqualTo(18);
    assertThat(space.forEach(new Event("type", "none"), event -> {})).isZero();
    assertThat(space.forEach(new Event(), event -> {})).isEqualTo(18);
  }

  @Test
  void shouldGiveAllMatchesOfATemplateThatIsNew() {
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
    for (long id = 0; id < 5; id++) {
      small.write(order(4 - id));
    }
    List<Long> ids = new ArrayList<>();
    small.forEach(new Event("type", "order"), event -> ids.add(event.getLong("id")));
    small.write(order(7));
    small.forEach(new Event("type", "order"), event -> ids.add(event.getLong("id")));
    small.forEach(new Event("id", null), event -> ids.add(event.getLong("id")));
    small.transact(tx -> tx.forEach(new Event("id", null), event -> ids.add(event.getLong("id"))));
    assertThat(ids)
        .containsExactly(
            4L, 3L, 2L, 1L, 0L, 4L, 3L, 2L, 1L, 0L, 7L, 4L, 3L, 2L, 1L, 0L, 7L, 4L, 3L, 2L, 1L, 0L,
            7L);
  }

  @Test
  void shouldSeeWhatIsCommittedAndNotWhatRunningTransactionsDo() {
    space.write(order(1));
    transaction.begin();
    assertThat(transaction.take(order(1), into)).isTrue();
    transaction.write(order(2));
    assertThat(orders()).containsExactly(1L);
    assertThat(transaction.commit()).isTrue();
    assertThat(orders()).containsExactly(2L);
  }

  @Test
  void shouldLoseNothingWhenTheSinkThrows() {
    for (long id = 0; id < 5; id++) {
      space.write(order(id));
    }
    IllegalStateException thrown = new IllegalStateException("at the third");
    assertThatThrownBy(
            () ->
                space.forEach(
                    ORDERS,
                    event -> {
                      if (event.getLong("id") == 2) {
                        throw thrown;
                      }
                    }))
        .isSameAs(thrown);
    assertThat(orders()).hasSize(5);
  }

  @Test
  void shouldLetTheSinkChangeTheSpaceAndItsEvent() {
    for (long id = 0; id < 5; id++) {
      space.write(order(id));
    }
    List<Long> ids = new ArrayList<>();
    int given =
        space.forEach(
            ORDERS,
            event -> {
              long id = event.getLong("id");
              ids.add(id);
              space.take(order(id + 1), into);
              space.write(event.clear().add("type", "order").add("id", 10 + id));
            });
    assertThat(given).isEqualTo(3);
    assertThat(ids).containsExactly(0L, 2L, 4L);
    assertThat(orders()).containsExactly(0L, 2L, 4L, 10L, 12L, 14L);
  }

  /**
   * Sixteen events stay, and one goes round: that one may be seen, or not, or in its next place.
   */
  @Test
  void shouldGiveWhatStaysOnceAndEndWhileOthersWriteAndTake() throws InterruptedException {
    for (long id = 0; id < 16; id++) {
      space.write(order(id));
    }
    AtomicBoolean isOver = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  Event taken = new Event();
                  for (long id = 100; !isOver.get(); id++) {
                    space.write(order(id));
                    space.take(order(id - 3), taken);
                  }
                });
    try {
      for (int i = 0; i < 20_000; i++) {
        List<Long> ids = orders();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ids.stream().filter(id -> id < 16).toList())
            .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L);
      }
    } finally {
      isOver.set(true);
      writer.join();
    }
  }

  @Test
  void shouldNotAllocateForEachEvent() {
    EventSpace large = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(4_096));
    for (long id = 0; id < 4_000; id++) {
      large.write(order(id));
    }
    AtomicInteger given = new AtomicInteger();
    long bytes =
        AllocatedBytes.inSteadyState(
            1, () -> large.forEach(ORDERS, event -> given.incrementAndGet()));
    assertThat(bytes).isLessThan(4_000 * 40);
    assertThat(given).hasValueGreaterThan(4_000);
  }

  // ---- in transactions

  @Test
  void shouldSeeOwnWritesAndTakesInATransaction() {
    space.write(order(1));
    space.write(order(2));
    transaction.begin();
    transaction.write(order(3));
    transaction.write(order(4));
    assertThat(transaction.take(order(1), into)).isTrue();
    assertThat(transaction.take(order(4), into)).isTrue();
    assertThat(orders(transaction)).containsExactly(2L, 3L);
    assertThat(transaction.commit()).isTrue();
    assertThat(orders()).containsExactly(2L, 3L);
  }

  @Test
  void shouldPassOverWhatTheSinkTakesInItsTransaction() {
    for (long id = 0; id < 4; id++) {
      space.write(order(id));
    }
    transaction.begin();
    List<Long> ids = new ArrayList<>();
    transaction.forEach(
        ORDERS,
        event -> {
          ids.add(event.getLong("id"));
          transaction.take(order(event.getLong("id") + 1), into);
          transaction.write(order(50 + event.getLong("id")));
        });
    assertThat(ids).containsExactly(0L, 2L);
    assertThat(transaction.commit()).isTrue();
    assertThat(orders()).containsExactly(0L, 2L, 50L, 52L);
  }

  @Test
  void shouldLoseWhenAMatchArrivesOrGoesAfterAllWereRead() {
    space.write(order(1));
    transaction.begin();
    assertThat(orders(transaction)).containsExactly(1L);
    transaction.write(new Event("type", "sum"));
    space.write(order(2));
    assertThat(transaction.commit()).isFalse();

    transaction.begin(0, 1);
    assertThat(orders(transaction)).containsExactly(1L, 2L);
    transaction.write(new Event("type", "sum"));
    assertThat(space.take(order(2), into)).isTrue();
    assertThat(transaction.commit()).isFalse();

    transaction.begin();
    assertThat(orders(transaction)).containsExactly(1L);
    transaction.write(new Event("type", "sum"));
    space.write(new Event("type", "offer").add("id", 1));
    assertThat(transaction.commit()).isTrue();
  }

  @Test
  void shouldEndTheTransactionThatHasClaimedAMatchOrGiveWayToIt() {
    space.write(order(1));
    other.begin();
    assertThat(other.take(order(1), into)).isTrue();
    transaction.begin(1, 0);
    assertThat(orders(transaction)).containsExactly(1L);
    assertThat(other.commit()).isFalse();
    assertThat(transaction.commit()).isTrue();
  }

  @Test
  void shouldGoOnWithTheTransactionWhenItsSinkThrows() {
    space.write(order(1));
    transaction.begin();
    IllegalStateException thrown = new IllegalStateException("at once");
    assertThatThrownBy(
            () ->
                transaction.forEach(
                    ORDERS,
                    event -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);
    assertThat(orders(transaction)).containsExactly(1L);
    assertThat(transaction.take(order(1), into)).isTrue();
    assertThat(transaction.commit()).isTrue();
    assertThat(orders()).isEmpty();
  }

  @Test
  void shouldRefuseMoreMatchesThanATransactionCanGuard() {
    for (long id = 0; id < 64; id++) {
      space.write(order(id));
    }
    transaction.begin();
    assertThatThrownBy(() -> orders(transaction))
        .isInstanceOfSatisfying(
            Abort.class,
            abort -> assertThat(abort.reason()).isEqualTo(Abort.Reason.TOO_MANY_OPERATIONS));
    transaction.rollback();
    assertThat(orders()).hasSize(64);
  }

  @Test
  void shouldFindAllThatMatchedAtTheCallWhenTheSinkChangesTheTemplate() {
    space.write(order(1));
    space.write(order(2));
    assertThat(idsWhenTheTemplateIsTheCopy(space::forEach)).containsExactly(1L, 2L);
    transaction.begin();
    transaction.write(order(3));
    transaction.write(order(4));
    assertThat(idsWhenTheTemplateIsTheCopy(transaction::forEach)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(idsWhenTheTemplateIsTheCopy((template, sink) -> space.takeAll(template, 8, sink)))
        .containsExactly(1L, 2L);
  }

  private static List<Long> idsWhenTheTemplateIsTheCopy(
      BiConsumer<Event, Consumer<Event>> reading) {
    List<Long> ids = new ArrayList<>();
    Event template = ORDERS.copy();
    reading.accept(
        template,
        event -> {
          ids.add(event.getLong("id"));
          template.copyFrom(event);
        });
    return ids;
  }

  @Test
  void shouldPassOverOwnEventsThatTheSinkTakesBack() {
    transaction.begin();
    for (long id = 0; id < 4; id++) {
      transaction.write(order(id));
    }
    List<Long> ids = new ArrayList<>();
    transaction.forEach(
        ORDERS,
        event -> {
          ids.add(event.getLong("id"));
          transaction.take(order(event.getLong("id") + 1), into);
          transaction.write(order(50 + event.getLong("id")));
        });
    assertThat(ids).containsExactly(0L, 2L);
  }

  /**
   * Another transaction claims all that was found but the last, again and again, between the look
   * and the guards: each time only one match more is kept.
   */
  @Test
  void shouldCountOnlyTheMatchesThatStayWhenOthersClaimSomeOfThemMeanwhile() {
    int matches = 20;
    for (long id = 0; id < matches; id++) {
      space.write(order(id));
    }
    int[] last = {matches - 1};
    Template template = new Template("type", "order");
    template.matchingLong(
        "id",
        id -> {
          if (id == last[0] && id > 0 && !other.isRunning()) {
            claim(last[0]--);
          }
          return true;
        });
    transaction.begin(1, 0);
    List<Long> ids = new ArrayList<>();
    assertThat(transaction.forEach(template, event -> ids.add(event.getLong("id"))))
        .isEqualTo(matches);
    assertThat(last).as("matches never claimed").containsExactly(0);
    assertThat(ids).isSorted().startsWith(0L).endsWith(19L);
    transaction.write(new Event("type", "sum"));
    space.take(order(7), into);
    assertThat(transaction.commit()).as("what is kept is guarded").isFalse();
  }

  private void claim(int end) {
    other.rollback();
    other.begin();
    for (long id = 0; id < end; id++) {
      assertThat(other.take(order(id), into)).isTrue();
    }
  }

  @Test
  void shouldGuardAsManyMatchesAsTheLimitAllowsAndNotCountOneThatIsClaimed() {
    for (long id = 0; id < 64; id++) { // one guard more is on the absence of others
      space.write(order(id));
    }
    Template template = new Template("type", "order");
    template.matchingLong(
        "id",
        id -> {
          if (id == 63 && !other.isBegun()) {
            other.begin(2, 0);
            assertThat(other.take(order(63), into)).isTrue();
            assertThat(other.commit()).isTrue();
          }
          return true;
        });
    transaction.begin();
    assertThat(transaction.forEach(template, event -> {})).isEqualTo(63);
    assertThat(transaction.commit()).isTrue();
  }

  @Test
  void shouldSayThatItWasEndedWhenItComesToALimitAfterwards() {
    for (long id = 0; id < 70; id++) {
      space.write(order(id));
    }
    transaction.begin();
    TransactionToken token = transaction.token();
    Template template = new Template("type", "order");
    template.matchingLong("id", id -> token.end() || id >= 0);
    assertThatThrownBy(() -> transaction.forEach(template, event -> {}))
        .isInstanceOfSatisfying(
            Abort.class, abort -> assertThat(abort.reason()).isEqualTo(Abort.Reason.ENDED));
  }

  @Test
  void shouldSayWhenTheSinkEndsTheTransaction() {
    space.write(order(1));
    transaction.begin();
    assertThatThrownBy(() -> transaction.forEach(ORDERS, event -> transaction.commit()))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Money goes round between accounts; each look at all of them at one moment finds the sum. */
  @Test
  void shouldFindTheSameSumInEachTransactionWhileOthersTransfer() throws InterruptedException {
    for (long id = 0; id < 8; id++) {
      space.write(order(id).add("sum", 100));
    }
    AtomicBoolean isOver = new AtomicBoolean();
    Thread payer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long i = 0; !isOver.get(); i++) {
                    long from = i % 8;
                    long to = (i * 5 + 3) % 8;
                    if (from != to) {
                      space.transact(
                          tx -> {
                            Event one = tx.take(order(from));
                            Event two = tx.take(order(to));
                            tx.write(order(from).add("sum", one.getLong("sum") - 1));
                            tx.write(order(to).add("sum", two.getLong("sum") + 1));
                          });
                    }
                  }
                });
    try {
      for (int i = 0; i < 2_000; i++) {
        long[] sum = new long[2];
        space.transact(
            tx -> {
              sum[0] = 0;
              sum[1] = tx.forEach(ORDERS, event -> sum[0] += event.getLong("sum"));
            });
        assertThat(sum).containsExactly(800, 8);
      }
    } finally {
      isOver.set(true);
      payer.join();
    }
  }
}
