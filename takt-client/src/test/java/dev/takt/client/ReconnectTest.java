package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ScriptedLink.Sent;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that is cut at each step of a request, and what is asked on the next one. */
@Timeout(60)
class ReconnectTest extends CutLinks {
  @Test
  void shouldEndAWriteThatTheHostHasDone() throws Exception {
    FutureTask<Boolean> writer = write();
    Sent sent = link.next();
    cut(SAME);
    tellOutcome(sent, 1);
    assertThat(get(writer)).isTrue();
    assertThat(link.hasSentNothing()).as("it is not sent again").isTrue();
  }

  @Test
  void shouldWriteAnewWhatTheHostHasNotDone() throws Exception {
    FutureTask<Boolean> writer = write();
    Sent sent = link.next();
    cut(SAME);
    tellOutcome(sent, 0);
    Sent again = link.next();
    assertThat(again.operation()).isEqualTo(Operation.WRITE);
    assertThat(again.request()).as("numbers go on").isGreaterThan(sent.request());
    cut(SAME);
    tellOutcome(again, 1);
    assertThat(get(writer)).isTrue();
  }

  @Test
  void shouldThrowWhatTheWriteWasRefusedWith() throws Exception {
    FutureTask<Boolean> writer = write();
    link.next();
    cut(SAME);
    link.refuse(link.next(), Refusal.SPACE_FULL, "full: limit=3");
    link.flush();
    assertThatThrownBy(() -> get(writer))
        .hasCauseInstanceOf(Abort.class)
        .hasMessageContaining("limit=3");
  }

  @Test
  void shouldAskForOutcomesAgainWhenTheLinkEndsMeanwhile() throws Exception {
    FutureTask<Boolean> writer = write();
    Sent sent = link.next();
    cut(SAME);
    assertThat(link.next().operation()).isEqualTo(Operation.OUTCOME);
    cut(SAME);
    tellOutcome(sent, 1);
    assertThat(get(writer)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {OTHER, 0})
  void shouldNotGuessWhatBecameOfAWriteThatTheHostDoesNotKnow(long outcomes) throws Exception {
    FutureTask<Boolean> writer = write();
    link.next();
    cut(outcomes);
    assertThat(isUnknown(writer)).isTrue();
    assertThat(link.hasSentNothing()).isTrue();
  }

  @Test
  void shouldNotGuessWhatBecameOfAWriteThatTheHostHasForgotten() throws Exception {
    FutureTask<Boolean> writer = write();
    link.next();
    cut(SAME);
    link.refuse(link.next(), Refusal.UNKNOWN, "not kept any more");
    link.flush();
    assertThat(isUnknown(writer)).isTrue();
  }

  @Test
  void shouldStillNotGuessWhenAnotherHostComesBeforeItWasAnswered() throws Exception {
    FutureTask<Boolean> writer = write();
    link.next();
    cut(SAME);
    assertThat(link.next().operation()).isEqualTo(Operation.OUTCOME);
    cut(OTHER);
    assertThat(isUnknown(writer)).isTrue();
    assertThat(link.hasSentNothing()).isTrue();
  }

  @Test
  void shouldAskAnewForWhatWasNotSent() throws Exception {
    link.room.set(0);
    FutureTask<Boolean> writer = write();
    while (threads.getLast().getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    ScriptedLink next = prepare(OTHER);
    link.hangUp();
    link = next;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    answer(link.next(), 0);
    assertThat(get(writer)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {SAME, OTHER})
  void shouldAskAnewForWhatChangesNothing(long outcomes) throws Exception {
    FutureTask<Integer> counter = start(() -> space.count(X));
    Sent sent = link.next();
    cut(outcomes);
    Sent again = link.next();
    assertThat(again.request()).isGreaterThan(sent.request());
    answer(again, 3);
    assertThat(get(counter)).isEqualTo(3);
  }

  @Test
  void shouldTakeAnewWhatTheHostHasPutBack() throws Exception {
    FutureTask<Event> taker = start(() -> space.take(X));
    Sent sent = link.next();
    cut(SAME);
    Sent again = link.next();
    assertThat(again.operation()).isEqualTo(Operation.TAKE);
    assertThat(again.request()).isGreaterThan(sent.request());
    answer(again, 1, X);
    assertThat(get(taker)).isEqualTo(X);
    assertThat(link.next().kind()).isEqualTo(MessageKind.RECEIVED);
  }

  @Test
  void shouldNotGuessWhatBecameOfATakeWhenTheHostHasStartedAnew() throws Exception {
    FutureTask<Event> taker = start(() -> space.take(X, Duration.ofDays(1)));
    link.next();
    cut(OTHER);
    assertThat(isUnknown(taker)).isTrue();
  }

  /** Starts a take that is interrupted, and cuts its link before the cancel is answered. */
  private FutureTask<Boolean> interruptedTake(Class<?> thrown, long outcomes) throws Exception {
    FutureTask<Boolean> taker =
        start(
            () -> {
              assertThatThrownBy(() -> space.take(X, Duration.ofDays(1))).isInstanceOf(thrown);
              return Thread.interrupted();
            });
    link.next();
    threads.getLast().interrupt();
    assertThat(link.next().operation()).isEqualTo(Operation.CANCEL);
    cut(outcomes);
    return taker;
  }

  @Test
  void shouldNotGuessWhatBecameOfAnInterruptedTakeWhenTheHostHasStartedAnew() throws Exception {
    FutureTask<Boolean> taker = interruptedTake(LinkEndedException.class, OTHER);
    assertThat(get(taker)).as("is still interrupted").isTrue();
    assertThat(link.hasSentNothing()).as("it is not asked anew").isTrue();
  }

  @Test
  void shouldEndAnInterruptedTakeThatTheHostHasPutBack() throws Exception {
    FutureTask<Boolean> taker = interruptedTake(InterruptedException.class, SAME);
    Sent again = link.next();
    assertThat(again.operation()).isEqualTo(Operation.AWAIT_TAKE);
    Sent cancel = link.next();
    assertThat(cancel.operation()).isEqualTo(Operation.CANCEL);
    link.answer(again, 0);
    answer(cancel, 1);
    assertThat(get(taker)).as("the exception tells of it").isFalse();
  }

  @Test
  void shouldWaitOnForTheRestOfItsTime() throws Exception {
    FutureTask<Event> reader = start(() -> space.read(X, Duration.ofDays(1)));
    Sent sent = link.next();
    cut(OTHER);
    Sent again = link.next();
    assertThat(again.operation()).isEqualTo(Operation.AWAIT_READ);
    assertThat(again.number()).isPositive().isLessThan(sent.number());
    answer(again, 1, X);
    assertThat(get(reader)).isEqualTo(X);
  }

  /** Each step of a transaction before its commit. */
  private enum Step {
    BEGIN,
    TAKE,
    WRITE_NOW
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeginATransactionAnewThatWasNotCommitted(Step cutAt) throws Exception {
    AtomicInteger runs = new AtomicInteger();
    FutureTask<Integer> caller =
        start(
            () ->
                space.transact(
                    0,
                    transaction -> {
                      transaction.take(X, new Event());
                      transaction.writeNow(X);
                      return runs.incrementAndGet();
                    }));
    for (Step step : Step.values()) {
      Sent sent = link.next();
      assertThat(sent.operation().name()).isEqualTo(step.name());
      if (step == cutAt) {
        break;
      }
      answer(sent, step == Step.BEGIN ? 7 : 0);
    }
    cut(OTHER);
    Sent begin = link.next();
    assertThat(begin.operation()).isEqualTo(Operation.BEGIN);
    answer(begin, 3);
    answer(link.next(), 0);
    answer(link.next(), 0);
    Sent commit = link.next();
    assertThat(commit.operation()).isEqualTo(Operation.COMMIT);
    assertThat(commit.transaction()).isEqualTo(3);
    answer(commit, 1);
    assertThat(get(caller)).isEqualTo(1);
  }

  private FutureTask<Integer> commit(AtomicInteger runs) throws Exception {
    FutureTask<Integer> caller =
        start(() -> space.transact(0, transaction -> runs.incrementAndGet()));
    answer(link.next(), 7);
    return caller;
  }

  @Test
  void shouldAskWhatBecameOfACommit() throws Exception {
    FutureTask<Integer> caller = commit(new AtomicInteger());
    final Sent commit = link.next();
    assertThat(commit.operation()).isEqualTo(Operation.COMMIT);
    cut(SAME);
    tellOutcome(commit, 2);
    assertThat(get(caller)).as("it was committed by the first run").isEqualTo(1);
  }

  @Test
  void shouldRunATransactionAgainWhoseCommitNeverCame() throws Exception {
    FutureTask<Integer> caller = commit(new AtomicInteger());
    Sent commit = link.next();
    cut(SAME);
    tellOutcome(commit, 0);
    Sent begin = link.next();
    assertThat(begin.operation()).isEqualTo(Operation.BEGIN);
    answer(begin, 1);
    answer(link.next(), 1);
    assertThat(get(caller)).isEqualTo(2);
  }

  @Test
  void shouldNotGuessWhatBecameOfACommitWhenTheHostHasStartedAnew() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    FutureTask<Integer> caller = commit(runs);
    link.next();
    cut(OTHER);
    assertThat(isUnknown(caller)).isTrue();
    assertThat(runs).hasValue(1);
    assertThat(link.hasSentNothing()).as("it is not run again").isTrue();
  }

  @Test
  void shouldThrowWhatABodyThrowsAlsoWhenTheLinkHasEnded() throws Exception {
    FutureTask<Object> caller =
        start(
            () ->
                space.transact(
                    0,
                    transaction -> {
                      link.close();
                      throw new ArithmeticException("of the body");
                    }));
    answer(link.next(), 7);
    assertThatThrownBy(() -> get(caller)).hasCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void shouldTellWhatBecameOfAWriteThatHasEndedEachLink() throws Exception {
    FutureTask<Boolean> writer = write();
    for (int i = 0; i < ReconnectingLink.MAX_RENEWALS; i++) {
      Sent sent = link.next();
      cut(SAME);
      tellOutcome(sent, 0);
    }
    Sent last = link.next();
    cut(SAME);
    tellOutcome(last, 0);
    assertThat(isUnknown(writer)).as("the host says that it is not done").isFalse();
    assertThat(link.hasSentNothing()).isTrue();
  }

  @Test
  void shouldTellOfARefusalOfTheLastLink() throws Exception {
    FutureTask<Boolean> writer = write();
    for (int i = 0; i < ReconnectingLink.MAX_RENEWALS; i++) {
      Sent sent = link.next();
      cut(SAME);
      tellOutcome(sent, 0);
    }
    link.next();
    cut(SAME);
    link.refuse(link.next(), Refusal.FORBIDDEN, "no right");
    link.flush();
    assertThatThrownBy(() -> get(writer)).hasCauseInstanceOf(SecurityException.class);
  }
}
