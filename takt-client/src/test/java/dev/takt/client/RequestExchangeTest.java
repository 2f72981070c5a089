package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.client.ScriptedLink.Sent;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller gets, whatever the other side of the link says, and when. */
@Timeout(60)
class RequestExchangeTest {
  private static final Event X = new Event("x", 1);
  private static final Event TWO = new Event("x", 2);

  private final ScriptedLink link = new ScriptedLink(0);
  private final List<Thread> threads = new ArrayList<>();
  private RemoteSpace space;

  @BeforeEach
  void connect() throws Exception {
    link.welcome();
    space =
        RemoteSpace.connect(
            link,
            "",
            ScriptedLink.WIRE,
            body -> Thread.ofPlatform().unstarted(body),
            1_000_000_000);
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
  }

  @AfterEach
  void end() throws Exception {
    space.close();
    for (Thread thread : threads) {
      thread.join(20_000);
      assertThat(thread.isAlive()).as("%s has ended", thread).isFalse();
    }
  }

  private <T> FutureTask<T> start(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    threads.add(Thread.ofPlatform().start(task));
    return task;
  }

  private static <T> T get(FutureTask<T> task) throws Exception {
    return task.get(20, TimeUnit.SECONDS);
  }

  @Test
  void shouldGiveTakenEventsOnlyWhenTheHostIsTold() throws Exception {
    FutureTask<Event> taker = start(() -> space.take(X));
    Sent take = link.next();
    link.awaitSleeper();
    link.room.set(0);
    link.answer(take, 1, X);
    link.flush();
    link.awaitSleeper();
    assertThat(taker.isDone()).as("not confirmed, so it may be put back").isFalse();
    link.room.set(10);
    link.flush();
    assertThat(get(taker)).isEqualTo(X);
    assertThat(link.next())
        .isEqualTo(new Sent(MessageKind.RECEIVED, Operation.NONE, 0, take.request(), 0));
  }

  @Test
  void shouldSendTheWritesOfATransactionWithoutWaitingForAnswers() throws Exception {
    FutureTask<Boolean> body =
        start(
            () ->
                space.transact(
                    transaction -> {
                      transaction.write(X);
                      assertThatThrownBy(() -> transaction.write(new Event("big", new long[99])))
                          .isInstanceOf(IllegalArgumentException.class)
                          .hasMessageContaining("event too large");
                      transaction.write(TWO);
                    }));
    link.answer(link.next(), 7);
    link.flush();
    for (int i = 0; i < 2; i++) {
      Sent write = link.next();
      assertThat(write)
          .isEqualTo(new Sent(MessageKind.REQUEST, Operation.WRITE, 7, write.request(), 1));
    }
    Sent commit = link.next();
    assertThat(commit.operation()).isEqualTo(Operation.COMMIT);
    link.answer(commit, 1);
    link.flush();
    assertThat(get(body)).isTrue();
  }

  @Test
  void shouldRunTheBodyAgainWhenTheCommitTellsOfAConflictOfAWrite() throws Exception {
    FutureTask<Boolean> body = start(() -> space.transact(transaction -> transaction.write(X)));
    for (int attempt = 0; attempt < 2; attempt++) {
      Sent begin = link.next();
      assertThat(begin.operation()).isEqualTo(Operation.BEGIN);
      link.answer(begin, 1);
      link.flush();
      assertThat(link.next().operation()).isEqualTo(Operation.WRITE);
      Sent commit = link.next();
      assertThat(commit.operation()).isEqualTo(Operation.COMMIT);
      if (attempt == 0) {
        link.refuse(commit, Refusal.CONFLICT, "lost");
      } else {
        link.answer(commit, 1);
      }
      link.flush();
    }
    assertThat(get(body)).isTrue();
  }

  @Test
  void shouldNotGiveWhatIsPutBackWhenTheLinkEnds() throws Exception {
    FutureTask<Event> taker = start(() -> space.take(X));
    Sent take = link.next();
    link.awaitSleeper();
    link.room.set(0);
    link.answer(take, 1, X);
    link.flush();
    link.awaitSleeper();
    space.close();
    assertThatThrownBy(() -> get(taker)).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(link.hasSentNothing()).isTrue();
  }

  @Test
  void shouldReceiveForOthersWhileACallerWaitsForRoom() throws Exception {
    FutureTask<Integer> first = start(() -> space.count(X));
    Sent count = link.next();
    link.awaitSleeper();
    link.room.set(0);
    FutureTask<Boolean> second = start(() -> space.test(X));
    link.answer(count, 3);
    link.flush();
    assertThat(get(first)).isEqualTo(3);
    assertThat(second.isDone()).isFalse();
    link.room.set(1);
    link.answer(link.next(), 1);
    link.flush();
    assertThat(get(second)).isTrue();
  }

  @Test
  void shouldWaitForRoomAndKeepTheInterruptOfACaller() throws Exception {
    link.room.set(0);
    FutureTask<Boolean> caller = start(() -> space.count(X) == 3 && Thread.interrupted());
    while (link.waits.get() == 0) {
      Thread.onSpinWait();
    }
    threads.getLast().interrupt();
    int before = link.waits.get();
    while (link.waits.get() < before + 100) {
      Thread.onSpinWait();
    }
    assertThat(link.vainWaits.get()).as("waits that do not wait").isLessThanOrEqualTo(1);
    link.room.set(1);
    link.answer(link.next(), 3);
    link.flush();
    assertThat(get(caller)).isTrue();
  }

  @Test
  void shouldEndACallerThatWaitsForRoomWhenTheSpaceIsClosed() throws Exception {
    link.room.set(0);
    FutureTask<Integer> caller = start(() -> space.count(X));
    while (threads.getLast().getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
    space.close();
    assertThatThrownBy(() -> get(caller))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the link to the host has ended");
    assertThat(link.hasSentNothing()).isTrue();
  }

  @Test
  void shouldEndAllCallersWhenTheHostSaysWhatItMayNot() throws Exception {
    FutureTask<Integer> one = start(() -> space.count(X));
    Sent count = link.next();
    FutureTask<Event> other = start(() -> space.take(X, Duration.ofDays(1)));
    link.next();
    link.answer(new Sent(MessageKind.REQUEST, Operation.COUNT, 0, count.request() + 1, 0), 1);
    link.flush();
    for (FutureTask<?> caller : List.of(one, other)) {
      assertThatThrownBy(() -> get(caller)).hasMessageContaining("expected: that of an open one");
    }
    assertThatThrownBy(() -> space.write(X)).hasMessageContaining("expected: that of an open one");
  }

  @Test
  void shouldPutPartsOfAnAnswerTogether() throws Exception {
    List<Event> seen = new ArrayList<>();
    FutureTask<Integer> reader = start(() -> space.forEach(X, event -> seen.add(event.copy())));
    Sent asked = link.next();
    link.answer(MessageKind.PART, asked, 2, X, TWO);
    link.flush();
    link.answer(MessageKind.PART, asked, 0);
    link.answer(asked, 1, X);
    link.flush();
    assertThat(get(reader)).isEqualTo(3);
    assertThat(seen).containsExactly(X, TWO, X);
  }

  @Test
  void shouldThrowWhatTheHostRefusesWithAfterAPartOfTheAnswer() throws Exception {
    FutureTask<Integer> reader = start(() -> space.forEach(X, event -> {}));
    Sent asked = link.next();
    link.answer(MessageKind.PART, asked, 1, X);
    link.refuse(asked, Refusal.SPACE_FULL, "full: limit=3");
    link.flush();
    assertThatThrownBy(() -> get(reader))
        .hasCauseInstanceOf(Abort.class)
        .hasMessageContaining("limit=3");
    assertThat(link.hasSentNothing()).as("nothing was taken").isTrue();
  }

  @Test
  void shouldCancelAWaitThatIsInterrupted() throws Exception {
    FutureTask<Event> taker = start(() -> space.take(X, Duration.ofDays(1)));
    Sent take = link.next();
    link.awaitSleeper();
    threads.getLast().interrupt();
    Sent cancel = link.next();
    assertThat(cancel.operation()).isEqualTo(Operation.CANCEL);
    assertThat(cancel.number()).isEqualTo(take.request());
    link.answer(take, 0);
    link.answer(cancel, 1);
    link.flush();
    assertThatThrownBy(() -> get(taker)).hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void shouldGiveWhatWasFoundBeforeTheCancelAndKeepTheInterrupt() throws Exception {
    FutureTask<Boolean> taker =
        start(() -> X.equals(space.take(X, Duration.ofDays(1))) && Thread.interrupted());
    Sent take = link.next();
    link.awaitSleeper();
    threads.getLast().interrupt();
    Sent cancel = link.next();
    link.answer(take, 1, X);
    link.answer(cancel, 0);
    link.flush();
    assertThat(get(taker)).isTrue();
    assertThat(link.next().kind()).isEqualTo(MessageKind.RECEIVED);
  }

  @Test
  void shouldGiveWhatWasFoundWhenTheLinkEndsBeforeTheCancelIsAnswered() throws Exception {
    FutureTask<Boolean> taker =
        start(() -> X.equals(space.take(X, Duration.ofDays(1))) && Thread.interrupted());
    Sent take = link.next();
    link.awaitSleeper();
    threads.getLast().interrupt();
    assertThat(link.next().operation()).isEqualTo(Operation.CANCEL);
    link.answer(take, 1, X);
    link.flush();
    assertThat(link.next().kind()).as("it is not put back").isEqualTo(MessageKind.RECEIVED);
    link.close();
    assertThat(get(taker)).isTrue();
  }

  @Test
  void shouldKeepTheInterruptOfAWaitThatTheHostRefuses() throws Exception {
    FutureTask<Boolean> taker =
        start(
            () -> {
              assertThatThrownBy(() -> space.take(X, Duration.ofDays(1)))
                  .isInstanceOf(SecurityException.class);
              return Thread.interrupted();
            });
    Sent take = link.next();
    link.awaitSleeper();
    threads.getLast().interrupt();
    Sent cancel = link.next();
    link.refuse(take, Refusal.FORBIDDEN, "no right to take");
    link.answer(cancel, 0);
    link.flush();
    assertThat(get(taker)).isTrue();
  }

  @Test
  void shouldMakePlacesForAsManyCallersAsThereAre() throws Exception {
    List<FutureTask<Integer>> callers = new ArrayList<>();
    List<Sent> asked = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      callers.add(start(() -> space.count(X)));
      asked.add(link.next());
    }
    for (int i = 39; i >= 0; i--) {
      link.answer(asked.get(i), i);
    }
    link.flush();
    for (int i = 0; i < 40; i++) {
      assertThat(get(callers.get(i))).isEqualTo(i);
    }
  }

  @Test
  void shouldTellWhatIsNotDoneFromWhatIsNotKnownWhenTheLinkEnds() throws Exception {
    FutureTask<?> writer = start(() -> write(space, X));
    link.next();
    FutureTask<?> reader = start(() -> space.count(X));
    link.next();
    FutureTask<?> within = start(() -> space.transact(0, t -> t.take(X, new Event())));
    link.answer(link.next(), 1);
    link.flush();
    assertThat(link.next().transaction()).isEqualTo(1);
    link.room.set(0);
    FutureTask<?> unsent = start(() -> write(space, TWO));
    while (threads.getLast().getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    space.close();
    assertThat(isUnknown(writer)).as("a write that was sent").isTrue();
    assertThat(isUnknown(reader)).as("a look").isFalse();
    assertThat(isUnknown(within)).as("a take in a transaction").isFalse();
    assertThat(isUnknown(unsent)).as("a write that was not sent").isFalse();
  }

  @Test
  void shouldNotKnowOfACommitThatWasSent() throws Exception {
    FutureTask<?> caller = start(() -> space.transact(0, t -> 1));
    link.answer(link.next(), 1);
    link.flush();
    assertThat(link.next().operation()).isEqualTo(Operation.COMMIT);
    space.close();
    assertThat(isUnknown(caller)).isTrue();
  }

  private static boolean write(RemoteSpace to, Event event) {
    to.write(event);
    return true;
  }

  private static boolean isUnknown(FutureTask<?> caller) throws Exception {
    try {
      get(caller);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LinkEndedException ended) {
        assertThat(ended)
            .hasMessageContaining(ended.isUnknown() ? "is not known" : "the request is not done");
        return ended.isUnknown();
      }
    }
    throw new AssertionError("it has not ended with the link");
  }

  @Test
  void shouldReceiveMoreKeysThanOneClientMayUse() throws Exception {
    ScriptedLink one = new ScriptedLink(0);
    one.welcome();
    try (RemoteSpace small =
        RemoteSpace.connect(
            one, "", ScriptedLink.WIRE.withMaxKeys(1), Thread::new, 1_000_000_000)) {
      one.next();
      FutureTask<Event> taker = start(() -> small.take(X));
      Event three = new Event("a", 1).add("b", 2).add("c", 3);
      one.answer(one.next(), 1, three);
      one.flush();
      assertThat(get(taker)).isEqualTo(three);
    }
  }

  @Test
  void shouldLeaveTheEventOfATakeAsItWasWhenTheHostPutsBackWhatCame() throws Exception {
    Event into = new Event("mine", 1);
    FutureTask<Boolean> taker = start(() -> space.take(X, into));
    Sent take = link.next();
    link.awaitSleeper();
    link.room.set(0); // the host is not told that it has come
    link.answer(take, 1, X);
    link.flush();
    link.awaitSleeper();
    space.close();
    assertThat(isUnknown(taker)).isTrue();
    assertThat(into).isEqualTo(new Event("mine", 1));
  }

  @Test
  void shouldTellAVirtualThreadOfTheEndWhileASubscriberRuns() throws Exception {
    CountDownLatch isRunning = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FutureTask<?> subscriber =
        start(
            () ->
                space.subscribe(
                    X,
                    () -> {
                      isRunning.countDown();
                      try {
                        goOn.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
    Sent subscribe = link.next();
    link.answer(subscribe, 0);
    link.flush();
    get(subscriber);
    link.notice(subscribe.number());
    link.flush();
    assertThat(isRunning.await(20, TimeUnit.SECONDS)).isTrue();
    FutureTask<Integer> counter = new FutureTask<>(() -> space.count(X));
    threads.add(Thread.ofVirtual().start(counter));
    link.next();
    link.endsInAwait = true;
    link.close();
    try {
      assertThat(isUnknown(counter)).isFalse();
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void shouldTellAnInterruptFromAHostThatDoesNotAnswer() {
    ScriptedLink silent = new ScriptedLink(0);

    Thread.currentThread().interrupt();
    Throwable failure =
        catchThrowable(
            () -> RemoteSpace.connect(silent, "", ScriptedLink.WIRE, Thread::new, 1_000_000_000));

    assertThat(Thread.interrupted()).as("is still interrupted").isTrue();
    assertThat(failure)
        .isExactlyInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted before the host has answered; connect again");
  }

  @Test
  void shouldNotInterruptASubscriberByWhatAnotherOneLeaves() throws Exception {
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    Runnable onMatch =
        () -> {
          interrupted.add(Thread.currentThread().isInterrupted());
          Thread.currentThread().interrupt();
        };
    FutureTask<?> subscriber =
        start(() -> List.of(space.subscribe(X, onMatch), space.subscribe(X, onMatch)));
    long[] numbers = new long[2];
    for (int i = 0; i < 2; i++) {
      Sent subscribe = link.next();
      numbers[i] = subscribe.number();
      link.answer(subscribe, 0);
      link.flush();
    }
    get(subscriber);
    link.awaitSleeper(); // one run for both
    link.notice(numbers[0]);
    link.notice(numbers[1]);
    link.flush();
    for (int i = 0; i < 2; i++) {
      assertThat(interrupted.poll(20, TimeUnit.SECONDS)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTellWhetherATransactionRunsOnAfterARefusal(boolean hasEnded) throws Exception {
    FutureTask<Boolean> body =
        start(
            () ->
                space.transact(
                    transaction -> {
                      transaction.write(X);
                      assertThatThrownBy(() -> transaction.test(X))
                          .isInstanceOf(SecurityException.class);
                      assertThat(transaction.isRunning()).isEqualTo(!hasEnded);
                      assertThat(transaction.isRunning()).isEqualTo(!hasEnded);
                    }));
    link.answer(link.next(), 7);
    link.flush();
    link.next();
    link.refuse(link.next(), Refusal.FORBIDDEN, "of the write, or of the test");
    link.flush();
    for (int i = 0; i < (hasEnded ? 1 : 2); i++) {
      Sent look = link.next();
      assertThat(look.operation()).isEqualTo(Operation.IS_RUNNING);
      if (hasEnded) {
        link.refuse(look, Refusal.FORBIDDEN, "of the write");
      } else {
        link.answer(look, 1);
      }
      link.flush();
    }
    Sent commit = link.next();
    assertThat(commit.operation()).isEqualTo(Operation.COMMIT);
    link.answer(commit, 1);
    link.flush();
    assertThat(get(body)).isTrue();
  }

  @Test
  void shouldReceiveAnAnswerWhoseWakeUpTheHostHasWithheld() throws Exception {
    FutureTask<Integer> counter = start(() -> space.count(X));
    Sent count = link.next();
    link.awaitSleeper();
    link.answer(count, 3);
    assertThat(get(counter)).isEqualTo(3);
  }
}
