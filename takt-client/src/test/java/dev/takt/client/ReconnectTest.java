package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ScriptedLink.Sent;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.SpaceHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that is cut at each step of a request, and what is asked on the next one. */
@Timeout(60)
class ReconnectTest {
  private static final Event X = new Event("x", 1);
  private static final long SAME = 5;
  private static final long OTHER = 6;
  private static final ClientSettings SETTINGS =
      new ClientSettings(ScriptedLink.WIRE, 0, 20_000_000_000L, 20_000_000_000L);

  private final BlockingQueue<ScriptedLink> links = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private ScriptedLink link;
  private RemoteSpace space;

  @BeforeEach
  void connect() throws Exception {
    space = connect(SETTINGS);
  }

  private RemoteSpace connect(ClientSettings settings) throws Exception {
    ScriptedLink first = prepare(SAME);
    RemoteSpace connected =
        RemoteSpace.connect(this::nextLink, new UUID(1, 2), "", settings, this::receiver);
    link = first;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    return connected;
  }

  private Thread receiver(Runnable body) {
    Thread thread = Thread.ofPlatform().unstarted(body);
    synchronized (threads) {
      threads.add(thread);
    }
    return thread;
  }

  private ScriptedLink nextLink() throws IOException {
    ScriptedLink next = links.poll();
    if (next == null) {
      throw new IOException("there is no host");
    }
    return next;
  }

  private ScriptedLink prepare(long outcomes) {
    ScriptedLink next = new ScriptedLink(0);
    next.welcome(outcomes);
    links.add(next);
    return next;
  }

  /** Cuts the link; there is another one. */
  private void cut(long outcomes) throws Exception {
    ScriptedLink next = prepare(outcomes);
    link.close();
    link = next;
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
    Thread thread = Thread.ofPlatform().unstarted(task);
    synchronized (threads) {
      threads.add(thread);
    }
    thread.start();
    return task;
  }

  private static <T> T get(FutureTask<T> task) throws Exception {
    return task.get(20, TimeUnit.SECONDS);
  }

  private FutureTask<Boolean> write() {
    return start(
        () -> {
          space.write(X);
          return true;
        });
  }

  private static boolean isUnknown(FutureTask<?> caller) throws Exception {
    try {
      get(caller);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LinkEndedException ended) {
        return ended.isUnknown();
      }
      throw e;
    }
    throw new AssertionError("it has not ended with the link");
  }

  /** Says what has become of a request on a link before. */
  private void tellOutcome(Sent of, long number) throws Exception {
    Sent asked = link.next();
    assertThat(asked.operation()).isEqualTo(Operation.OUTCOME);
    assertThat(asked.number()).isEqualTo(of.request());
    answer(asked, number);
  }

  private void answer(Sent to, long number, Event... events) {
    link.answer(to, number, events);
    link.flush();
  }

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
  void shouldSubscribeAgainAtOnceAndRunTheSubscriber() throws Exception {
    Semaphore runs = new Semaphore(0);
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X, runs::release));
    Sent subscribe = link.next();
    answer(subscribe, 0);
    SpaceHandle handle = get(subscriber);
    assertThat(runs.tryAcquire()).isFalse();

    cut(OTHER); // nobody asks
    Sent again = link.next();
    assertThat(again.operation()).isEqualTo(Operation.SUBSCRIBE);
    assertThat(again.number()).isEqualTo(subscribe.number());
    answer(again, 0);
    assertThat(runs.tryAcquire(20, TimeUnit.SECONDS)).as("matches may have come").isTrue();

    FutureTask<Boolean> taker = start(() -> handle.next(new Event()));
    Sent next = link.next();
    assertThat(next.number()).isEqualTo(subscribe.number());
    answer(next, 1, X);
    assertThat(get(taker)).isTrue();
  }

  @Test
  void shouldNotSubscribeAgainToWhatHasEnded() throws Exception {
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X));
    answer(link.next(), 0);
    SpaceHandle handle = get(subscriber);
    link.close();
    space.unsubscribe(handle);
    ScriptedLink next = prepare(SAME);
    FutureTask<Integer> counter = start(() -> space.count(X));
    link = next;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    Sent count = link.next();
    assertThat(count.operation()).isEqualTo(Operation.COUNT);
    answer(count, 0);
    assertThat(get(counter)).isZero();
  }

  @Test
  void shouldConnectOnceForAllCallers() throws Exception {
    List<FutureTask<Boolean>> writers = new ArrayList<>();
    List<Long> asked = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      writers.add(write());
      asked.add(link.next().request());
    }
    cut(SAME);
    List<Long> again = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Sent sent = link.next();
      assertThat(sent.operation()).isEqualTo(Operation.OUTCOME);
      again.add(sent.number());
      answer(sent, 1);
    }
    assertThat(again).containsExactlyInAnyOrderElementsOf(asked);
    for (FutureTask<Boolean> each : writers) {
      assertThat(get(each)).isTrue();
    }
  }

  @Test
  void shouldGiveUpWithinItsTimeAndTryAgainWithTheNextRequest() throws Exception {
    space.close();
    space = connect(SETTINGS.withReconnectNs(50_000_000));
    link.close();
    long begin = System.nanoTime();
    assertThat(isUnknown(start(() -> space.count(X)))).isFalse();
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);

    ScriptedLink next = prepare(OTHER);
    FutureTask<Integer> counter = start(() -> space.count(X));
    link = next;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    answer(link.next(), 1);
    assertThat(get(counter)).isEqualTo(1);
  }

  @Test
  void shouldNotConnectAgainIfItIsNotAskedTo() throws Exception {
    space.close();
    space = connect(SETTINGS.withReconnectNs(0));
    link.close();
    prepare(SAME);
    assertThat(isUnknown(start(() -> space.count(X)))).isFalse();
    assertThat(links).hasSize(1);
  }

  @Test
  void shouldEndAWaitThatWasInterruptedWhileThereWasNoLink() throws Exception {
    FutureTask<Event> taker = start(() -> space.read(X, Duration.ofDays(1)));
    Thread thread = threads.getLast();
    link.next();
    link.close();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    thread.interrupt();
    link = prepare(SAME);
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    Sent again = link.next();
    Sent cancel = link.next();
    assertThat(cancel.operation()).isEqualTo(Operation.CANCEL);
    link.answer(again, 0);
    answer(cancel, 1);
    assertThatThrownBy(() -> get(taker)).hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void shouldEndCallersThatWaitForALinkWhenTheSpaceIsClosed() throws Exception {
    FutureTask<Boolean> writer = write();
    link.next();
    link.close();
    space.close();
    assertThat(isUnknown(writer)).isTrue();
  }

  @Test
  void shouldNotAskForEverForWhatEndsEachLink() throws Exception {
    for (int i = 0; i < ReconnectingLink.MAX_RENEWALS + 2; i++) {
      ScriptedLink bad = new ScriptedLink(0);
      bad.welcome(SAME);
      links.add(bad);
    }
    ScriptedLink first = link;
    List<ScriptedLink> all = new ArrayList<>(links);
    FutureTask<Integer> counter = start(() -> space.count(X));
    first.next();
    first.close();
    for (int i = 0; i < ReconnectingLink.MAX_RENEWALS; i++) {
      all.get(i).next();
      all.get(i).next();
      all.get(i).close();
    }
    assertThat(isUnknown(counter)).isFalse();
    assertThat(links).hasSize(2);
  }
}
