package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A journal takes part in each commit: it is shown it, can refuse it, and learns the outcome. */
class CommitJournalTest {
  enum Side {
    BUY,
    SELL
  }

  record Price(long value, Side side, String venue) {}

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256).withMaxEventBytes(256));
  private final NumberingJournal journal = new NumberingJournal();

  private static Event coin(long value) {
    return new Event("coin", value);
  }

  private static Event everything() {
    return new Event("name", "gold")
        .add("count", 5)
        .add("weight", 2.5)
        .add("good", true)
        .add("none", "")
        .add("bytes", new byte[] {1, 2, 3})
        .add("longs", new long[] {4, 5})
        .add("words", new String[] {"a", "b"})
        .add("day", new BigDecimal("12.50"))
        .add("side", Side.SELL)
        .add("price", new Price(7, Side.BUY, "X"));
  }

  @Test
  void shouldShowWhatIsWrittenAndTakenThenTellThenWait() {
    space.commits().journal(journal);
    space.write(everything());
    assertThat(journal.shown.get(0L).written().values()).containsExactly(everything());
    assertThat(journal.shown.get(0L).taken()).isEmpty();
    long number = journal.shown.get(0L).written().keySet().iterator().next();
    space.transact(
        transaction -> {
          transaction.take(new Event("count", 5L));
          transaction.write(coin(1));
          transaction.write(coin(2));
          transaction.take(coin(1)); // its own, which never was there
        });
    assertThat(journal.shown.get(1L).taken()).containsExactly(number);
    assertThat(journal.shown.get(1L).written().values()).containsExactly(coin(2));
    assertThat(journal.outcomes).isEqualTo(Map.of(0L, true, 1L, true));
    assertThat(journal.awaited).containsExactly(0L, 1L);
  }

  @Test
  void shouldShowWhatIsToBeKeptWithTheEventsAlsoIfThereIsNone() {
    List<Object> cargos = new ArrayList<>();
    space
        .commits()
        .journal(
            new NumberingJournal() {
              @Override
              public long prepare(Commit delta) {
                cargos.add(delta.cargo() + " " + delta.hasEvents());
                return delta.cargo() == "nothing" ? NONE : super.prepare(delta);
              }
            });
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      transaction.write(coin(1));
      assertThat(transaction.commit("one")).isTrue();
      transaction.begin();
      assertThat(transaction.commit("two")).isTrue();
      transaction.begin();
      assertThat(transaction.commit("nothing")).isTrue();
      transaction.begin();
      transaction.write(coin(2));
      assertThat(transaction.commit()).isTrue();
      transaction.begin();
      assertThat(transaction.commit()).isTrue();
    }
    assertThat(cargos).containsExactly("one true", "two false", "nothing false", "null true");
    assertThat(space.stats().events()).isEqualTo(2);
  }

  @Test
  void shouldShowNothingThatHasNoEffect() {
    space.write(coin(1));
    space.commits().journal(journal);
    space.test(coin(1));
    space.take(coin(7));
    space.transact(
        transaction -> {
          transaction.write(coin(2));
          transaction.take(coin(2));
        });
    space.transact(
        transaction -> {
          transaction.take(coin(1));
          transaction.abort();
        });
    assertThat(journal.shown).isEmpty();
    assertThat(journal.awaited).isEmpty();
  }

  @Test
  void shouldLeaveNoTraceOfWhatIsRefusedAndGoOn() {
    space.write(coin(1));
    boolean[] refuses = {true};
    NumberingJournal refusing =
        new NumberingJournal() {
          @Override
          public long prepare(Commit delta) {
            if (refuses[0]) {
              throw CommitJournal.refused("records=9, limit=8; write less");
            }
            return super.prepare(delta);
          }
        };
    space.commits().journal(refusing);
    for (Runnable operation :
        List.<Runnable>of(
            () -> space.write(coin(2)),
            () -> space.take(coin(1)),
            () -> space.offer(coin(2)),
            () ->
                space.transact(
                    transaction -> {
                      transaction.take(coin(1));
                      transaction.write(coin(3));
                    }))) {
      Abort abort = catchThrowableOfType(Abort.class, operation::run);
      assertThat(abort.reason()).isEqualTo(Abort.Reason.REFUSED);
      assertThat(abort).hasMessageContaining("limit=8");
    }
    assertThat(space.count(new Event())).isEqualTo(1);
    assertThat(refusing.outcomes).isEmpty();
    refuses[0] = false;
    assertThat(space.take(coin(1))).isEqualTo(coin(1));
    assertThat(space.stats().events()).isZero();
    assertThat(refusing.outcomes).isEqualTo(Map.of(0L, true));
  }

  @Test
  void shouldUndoTheCommitWhenTheJournalFailsBeforeItIsDecided() {
    space.write(coin(1));
    Error[] failure = {new StackOverflowError()};
    NumberingJournal failing =
        new NumberingJournal() {
          @Override
          public long prepare(Commit delta) {
            if (failure[0] != null) {
              throw failure[0];
            }
            return super.prepare(delta);
          }
        };
    space.commits().journal(failing);
    assertThatThrownBy(() -> space.take(coin(1))).isSameAs(failure[0]);
    assertThatThrownBy(() -> space.write(coin(2))).isSameAs(failure[0]);
    failure[0] = null;
    assertThat(space.count(new Event())).isEqualTo(1);
    space.write(coin(3));
    assertThat(space.count(new Event())).isEqualTo(2);
    assertThat(failing.outcomes).isEqualTo(Map.of(0L, true));
  }

  @Test
  void shouldTellTheOutcomeAgainWhenAnErrorHasCutItOff() {
    Error[] failure = {new StackOverflowError()};
    NumberingJournal failing =
        new NumberingJournal() {
          @Override
          public void decided(long ticket, boolean committed) {
            Error thrown = failure[0];
            failure[0] = null;
            if (thrown != null) {
              throw thrown;
            }
            super.decided(ticket, committed);
          }
        };
    space.commits().journal(failing);
    Transaction transaction = space.newTransaction();
    transaction.begin();
    transaction.write(coin(1));
    assertThat(transaction.commit()).isTrue();
    assertThat(failing.outcomes).isEmpty();
    transaction.begin();
    assertThat(failing.outcomes).isEqualTo(Map.of(0L, true));
    transaction.write(coin(2));
    assertThat(transaction.commit()).isTrue();
    assertThat(failing.outcomes).isEqualTo(Map.of(0L, true, 1L, true));
    transaction.close();
  }

  @Test
  void shouldTellThatItIsLostWhenAnotherThreadEndsItMeanwhile() {
    AtomicReference<TransactionToken> token = new AtomicReference<>();
    NumberingJournal ending =
        new NumberingJournal() {
          @Override
          public long prepare(Commit delta) {
            token.get().end();
            return super.prepare(delta);
          }
        };
    space.commits().journal(ending);
    Transaction transaction = space.newTransaction();
    transaction.begin();
    transaction.write(coin(1));
    token.set(transaction.token());
    Abort abort = catchThrowableOfType(Abort.class, transaction::commit);
    assertThat(abort.reason()).isEqualTo(Abort.Reason.ENDED);
    assertThat(ending.outcomes).isEqualTo(Map.of(0L, false));
    assertThat(ending.awaited).isEmpty();
    assertThat(space.count(new Event())).isZero();
    transaction.close();
  }

  /** A journal whose thread stops at one of its steps until it is let go. */
  private static final class Stopping extends NumberingJournal {
    private final boolean beforeDecision;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    Stopping(boolean beforeDecision) {
      this.beforeDecision = beforeDecision;
    }

    private void stop(boolean here) {
      if (here && stopped.getCount() > 0) {
        stopped.countDown();
        try {
          letGo.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }

    @Override
    public long prepare(Commit delta) {
      long ticket = super.prepare(delta);
      stop(beforeDecision);
      return ticket;
    }

    @Override
    public void decided(long ticket, boolean committed) {
      stop(!beforeDecision);
      super.decided(ticket, committed);
    }
  }

  private boolean decideFor(Stopping stopping) throws InterruptedException {
    space.commits().journal(stopping);
    Thread writer = new Thread(() -> space.transact(transaction -> transaction.write(coin(1))));
    writer.start();
    assertThat(stopping.stopped.await(1, TimeUnit.MINUTES)).isTrue();
    boolean committed = space.commits().decide(stopping.shown.get(0L).transaction());
    assertThat(space.count(new Event())).isEqualTo(committed ? 1 : 0);
    stopping.letGo.countDown();
    writer.join();
    assertThat(space.count(new Event())).isEqualTo(1);
    return committed;
  }

  @Test
  void shouldEndTheUndecidedTransactionOfAStoppedThread() throws InterruptedException {
    Stopping stopping = new Stopping(true);
    assertThat(decideFor(stopping)).isFalse();
    assertThat(stopping.outcomes).isEqualTo(Map.of(0L, false, 1L, true));
  }

  @Test
  void shouldReadTheOutcomeOfAStoppedThreadThatHasDecided() throws InterruptedException {
    Stopping stopping = new Stopping(false);
    assertThat(decideFor(stopping)).isTrue();
    assertThat(stopping.outcomes).isEqualTo(Map.of(0L, true));
  }

  @Test
  void shouldNameTheClassThatAJournalDoesNotKnow() {
    AtomicReference<Class<?>> unknown = new AtomicReference<>();
    space
        .commits()
        .journal(
            new NumberingJournal() {
              @Override
              public long prepare(Commit delta) {
                unknown.set(delta.unknownClass(type -> type == Price.class));
                return super.prepare(delta);
              }
            });
    space.write(new Event("price", new Price(1, Side.BUY, "X")).add("words", new String[] {"a"}));
    assertThat(unknown.get()).isNull();
    space.write(new Event("at", new BigDecimal("1.5")).add("letter", 'c'));
    assertThat(unknown.get()).isNull();
    space.write(new Event("count", 1).add("side", Side.BUY));
    assertThat(unknown.get()).isEqualTo(Side.class);
  }

  @Test
  void shouldBeRefusedWhenATransactionRunsOrThereIsAJournalAlready() {
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      assertThatThrownBy(() -> space.commits().journal(journal))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("before");
    }
    space.commits().journal(journal);
    assertThat(space.commits().journal()).isSameAs(journal);
    assertThatThrownBy(() -> space.commits().journal(journal)).hasMessageContaining("limit: 1");
    space.commits().journal(null);
    space.write(coin(1));
    assertThat(journal.shown).isEmpty();
    assertThatCode(() -> space.commits().journal(journal)).doesNotThrowAnyException();
  }

  @Test
  void shouldGiveEachEventOnceWhenItIsScannedInParts() {
    for (int i = 0; i < 100; i++) {
      space.write(coin(i));
    }
    Map<Long, Event> given = new HashMap<>();
    int parts = 0;
    int from = 0;
    do {
      from =
          space
              .commits()
              .scan(
                  from, 7, (event, number) -> assertThat(given.put(number, event.copy())).isNull());
      parts++;
    } while (from != 0);
    assertThat(given).hasSize(100);
    assertThat(parts).isEqualTo((space.slots.count + 6) / 7);
  }

  @Test
  void shouldAllocateNothingOnTheCommittersThread() {
    long[] words = new long[1024];
    Object[] references = new Object[1024];
    long[] bytes = new long[1];
    space
        .commits()
        .journal(
            new CommitJournal() {
              @Override
              public long prepare(Commit delta) {
                delta.copyInto(words, references, 9);
                bytes[0] += delta.unknownClass(type -> true) == null ? 1 : 0;
                return 0;
              }

              @Override
              public void decided(long ticket, boolean committed) {}

              @Override
              public void await(long ticket) {}
            });
    Event event = everything();
    Event into = new Event();
    assertThat(
            AllocatedBytes.inSteadyState(
                1_000,
                () -> {
                  space.write(event);
                  space.take(event, into);
                }))
        .isZero();
    assertThat(bytes[0]).isPositive();
  }
}
