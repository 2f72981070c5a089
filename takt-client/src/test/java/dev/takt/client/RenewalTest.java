package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ScriptedLink.Sent;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.space.Event;
import dev.takt.space.SpaceHandle;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When another link is made, for whom, and when nobody waits for it any more. */
@Timeout(60)
class RenewalTest extends CutLinks {
  private static final ReconnectingLink.Subscriptions NONE =
      new ReconnectingLink.Subscriptions() {
        @Override
        public void renew(RequestExchange on, Deadline until) {}

        @Override
        public void add(long subscription) {}

        @Override
        public void run() {}
      };

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
  void shouldGoOnConnectingForSubscribersWhenTheTimeOfRequestsIsOver() throws Exception {
    space.close();
    space = connect(SETTINGS.withReconnectNs(1));
    Semaphore runs = new Semaphore(0);
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X, runs::release));
    answer(link.next(), 0);
    get(subscriber);
    link.close();
    assertThat(vain.tryAcquire(3, 20, TimeUnit.SECONDS)).as("it tries again").isTrue();
    link = prepare(OTHER);
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    answer(link.next(), 0);
    assertThat(runs.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldTellThatTheHostDoesNotSubscribeAgain() throws Exception {
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X, () -> {}));
    answer(link.next(), 0);
    get(subscriber);
    cut(OTHER);
    link.refuse(link.next(), Refusal.FORBIDDEN, "no right to read");
    link.flush();
    assertThat(uncaught.poll(20, TimeUnit.SECONDS))
        .hasMessageContainingAll("does not subscribe again", "x: 1", "no right to read");
  }

  /**
   * Cuts the link, and lets the next caller make another one, which is asked to subscribe again.
   */
  private FutureTask<Boolean> askOnAnotherLink(SpaceHandle handle) throws Exception {
    ScriptedLink next = prepare(OTHER);
    link.close();
    FutureTask<Boolean> caller = start(handle::hasNextNow);
    link = next;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    return caller;
  }

  private void refuse(String why) throws Exception {
    link.refuse(link.next(), Refusal.STATE, why);
    link.flush();
  }

  private void assertRefused(FutureTask<Boolean> caller) throws Exception {
    refuse("no subscription");
    assertThatThrownBy(() -> get(caller))
        .hasCauseExactlyInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("does not subscribe again", "x: 1", "too many: limit=1");
  }

  @Test
  void shouldTellWhyAHandleHasNoSubscriptionUntilALinkHasOne() throws Exception {
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X));
    answer(link.next(), 0);
    SpaceHandle handle = get(subscriber);
    FutureTask<Boolean> first = askOnAnotherLink(handle);
    refuse("too many: limit=1");
    assertRefused(first);
    assertThat(handle.isSubscribed()).isFalse();
    assertRefused(start(() -> handle.next(new Event())));

    FutureTask<Boolean> second = askOnAnotherLink(handle);
    answer(link.next(), 0);
    answer(link.next(), 1);
    assertThat(get(second)).isTrue();
    assertThat(handle.isSubscribed()).isTrue();
  }

  @Test
  void shouldEndAHandleThatTheHostDoesNotHave() throws Exception {
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X));
    answer(link.next(), 0);
    SpaceHandle handle = get(subscriber);
    FutureTask<Boolean> caller = askOnAnotherLink(handle);
    refuse("too many: limit=1");
    assertRefused(caller);
    get(
        start(
            () -> {
              space.unsubscribe(handle);
              return true;
            }));
    assertThat(link.hasSentNothing()).isTrue();
    assertThat(handle.hasNextNow()).isFalse();
  }

  @Test
  void shouldGiveUpTogetherWithTheCallerThatHasTried() throws Exception {
    space.close();
    space = connect(SETTINGS.withReconnectNs(1));
    attempt.acquire();
    link.close();
    List<FutureTask<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      callers.add(start(() -> space.count(X)));
      while (threads.getLast().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    attempt.release();
    for (FutureTask<Integer> each : callers) {
      assertThat(isUnknown(each)).isFalse();
    }
    assertThat(vain.availablePermits()).as("attempts").isEqualTo(1);
  }

  @Test
  void shouldEndCallersWhoseNextLinkDoesNotAnswerWhenTheSpaceIsClosed() throws Exception {
    FutureTask<Boolean> writer = write();
    link.next();
    cut(SAME);
    assertThat(link.next().operation()).isEqualTo(Operation.OUTCOME);
    space.close();
    assertThat(isUnknown(writer)).isTrue();
  }

  @Test
  void shouldNotAskWhatBecameOfARequestWhoseCallerHasGivenUp() throws Exception {
    space.close();
    space = connect(SETTINGS.withReconnectNs(1));
    FutureTask<Boolean> writer = write();
    link.next();
    link.close();
    assertThat(isUnknown(writer)).isTrue();
    link = prepare(SAME);
    FutureTask<Integer> counter = start(() -> space.count(X));
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    Sent count = link.next();
    assertThat(count.operation()).isEqualTo(Operation.COUNT);
    answer(count, 1);
    assertThat(get(counter)).isEqualTo(1);
  }

  /** A clock that also passes when the test says so. */
  private static final class OwnClock implements WaitClock {
    final AtomicLong passedNs = new AtomicLong();

    @Override
    public long nanoTime() {
      return System.nanoTime() + passedNs.get();
    }

    @Override
    public void parkNanos(long durationNs) {
      LockSupport.parkNanos(durationNs);
    }
  }

  private OwnClock connectByOwnClock() throws Exception {
    space.close();
    OwnClock clock = new OwnClock();
    ClientSettings settings = SETTINGS.withReconnectNs(1_000_000_000_000L);
    link = prepare(SAME);
    UUID name = new UUID(1, 2);
    space = new RemoteSpace(this::nextLink, name, "", settings, this::receiver, clock);
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    return clock;
  }

  /** Cuts the link; the host answers nothing but the HELLO on the next one, whose time passes. */
  private ScriptedLink stall(int room, OwnClock clock) throws Exception {
    ScriptedLink stalled = prepare(SAME);
    stalled.room.set(room);
    link.close();
    link = prepare(SAME);
    assertThat(stalled.next().kind()).isEqualTo(MessageKind.HELLO);
    while (stalled.waits.get() == 0) {
      Thread.onSpinWait();
    }
    clock.passedNs.addAndGet(SETTINGS.timeoutNs());
    stalled.wakeUp();
    assertThat(link.next().kind()).as("on another link").isEqualTo(MessageKind.HELLO);
    return stalled;
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, 1})
  void shouldConnectAgainIfTheHostDoesNotTellWhatBecameOfARequest(int room) throws Exception {
    OwnClock clock = connectByOwnClock();
    FutureTask<Boolean> writer = write();
    Sent sent = link.next();
    ScriptedLink stalled = stall(room, clock);
    assertThat(stalled.hasSentNothing()).as("no room after the HELLO").isEqualTo(room == 1);
    tellOutcome(sent, 1);
    assertThat(get(writer)).isTrue();
  }

  @Test
  void shouldConnectAgainIfTheHostDoesNotAnswerASubscription() throws Exception {
    OwnClock clock = connectByOwnClock();
    Semaphore runs = new Semaphore(0);
    FutureTask<SpaceHandle> subscriber = start(() -> space.subscribe(X, runs::release));
    answer(link.next(), 0);
    get(subscriber);
    stall(Integer.MAX_VALUE, clock);
    Sent again = link.next();
    assertThat(again.operation()).isEqualTo(Operation.SUBSCRIBE);
    assertThat(runs.tryAcquire()).as("before the host has subscribed").isFalse();
    answer(again, 0);
    assertThat(runs.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Of a cold JVM or a busy machine. */
  @Test
  void shouldGiveTheHostSecondsToAnswerTheFirstMessage() throws Exception {
    ScriptedLink slow = new ScriptedLink(0);
    OwnClock clock = new OwnClock();
    ClientSettings settings = ClientSettings.DEFAULTS.withWire(ScriptedLink.WIRE);
    FutureTask<RemoteSpace> connecting =
        start(
            () -> new RemoteSpace(_ -> slow, new UUID(1, 2), "", settings, this::receiver, clock));
    assertThat(slow.next().kind()).isEqualTo(MessageKind.HELLO);
    while (slow.waits.get() == 0) {
      Thread.onSpinWait();
    }
    clock.passedNs.addAndGet(5_000_000_000L);
    slow.wakeUp();
    while (slow.waits.get() == 1 && !connecting.isDone()) {
      Thread.onSpinWait();
    }
    slow.welcome(SAME);
    slow.flush();
    get(connecting).close();
  }

  private FutureTask<RemoteSpace> connecting(LinkSource source, WaitClock clock) {
    UUID name = new UUID(1, 2);
    return start(() -> new RemoteSpace(source, name, "", SETTINGS, this::receiver, clock));
  }

  private static ScriptedLink cutOff() {
    ScriptedLink cut = new ScriptedLink(0);
    cut.hangUp();
    return cut;
  }

  @Test
  void shouldConnectToTheHostThatStartsAnewWhileItIsGreeted() throws Exception {
    links.add(cutOff());
    FutureTask<RemoteSpace> connecting = connecting(this::nextLink, new OwnClock());
    assertThat(vain.tryAcquire(2, 20, TimeUnit.SECONDS)).as("attempts without a host").isTrue();
    ScriptedLink next = prepare(SAME);
    try (RemoteSpace connected = get(connecting)) {
      assertThat(next.next().kind()).isEqualTo(MessageKind.HELLO);
      FutureTask<Integer> counter = start(() -> connected.count(X));
      next.answer(next.next(), 3);
      next.flush();
      assertThat(get(counter)).isEqualTo(3);
    }
  }

  @Test
  void shouldGiveTheFirstLinkUpWithinTheTimeToConnect() throws Exception {
    OwnClock clock = new OwnClock();
    links.add(cutOff());
    FutureTask<RemoteSpace> connecting = connecting(this::nextLink, clock);
    assertThat(vain.tryAcquire(2, 20, TimeUnit.SECONDS)).as("attempts without a host").isTrue();
    clock.passedNs.addAndGet(SETTINGS.timeoutNs());
    assertThatThrownBy(() -> get(connecting))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("before it answered", "there is no host");
  }

  @Test
  void shouldNotLookForAHostThatWasNeverThere() throws Exception {
    assertThatThrownBy(() -> get(connecting(this::nextLink, new OwnClock())))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessage("there is no host");
    assertThat(vain.availablePermits()).as("attempts").isEqualTo(1);
  }

  /** A host that stands still costs the time once, not once for each step. */
  @Test
  void shouldHaveOneTimeForConnectionAndGreeting() throws Exception {
    OwnClock clock = new OwnClock();
    ClientSettings patient = SETTINGS.withTimeoutNs(1_000_000_000_000L);
    ScriptedLink silent = new ScriptedLink(0);
    List<Long> given = new CopyOnWriteArrayList<>();
    LinkSource slow =
        timeoutNs -> {
          given.add(timeoutNs);
          clock.passedNs.addAndGet(patient.timeoutNs() / 2);
          return silent;
        };
    FutureTask<RemoteSpace> connecting =
        start(() -> new RemoteSpace(slow, new UUID(1, 2), "", patient, this::receiver, clock));
    while (silent.waits.get() == 0) {
      Thread.onSpinWait();
    }
    clock.passedNs.addAndGet(patient.timeoutNs() / 2);
    silent.wakeUp();
    assertThatThrownBy(() -> get(connecting))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has not answered for 1000000 ms (ClientSettings.timeoutNs)");
    assertThat(given).singleElement().isNotNull();
    assertThat(given.getFirst()).isBetween(1L, patient.timeoutNs());
  }

  @Test
  void shouldGiveUpInTimeAlthoughTheAttemptThatHasBegunCouldTakeLonger() throws Exception {
    OwnClock clock = new OwnClock();
    space.close();
    link = prepare(SAME);
    ClientSettings hasty = SETTINGS.withReconnectNs(SETTINGS.timeoutNs() / 4);
    space = new RemoteSpace(this::nextLink, new UUID(1, 2), "", hasty, this::receiver, clock);
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    ScriptedLink silent = new ScriptedLink(0);
    links.add(silent);
    link.close();
    FutureTask<Integer> counter = start(() -> space.count(X));
    while (silent.waits.get() == 0) {
      Thread.onSpinWait();
    }
    clock.passedNs.addAndGet(hasty.reconnectNs());
    silent.wakeUp();
    assertThatThrownBy(() -> get(counter))
        .cause()
        .isInstanceOf(LinkEndedException.class)
        .satisfies(
            ended ->
                assertThat(ended.getSuppressed())
                    .singleElement()
                    .hasToString(
                        "java.io.IOException: the host has not answered for 5000 ms"
                            + " (ClientSettings.reconnectNs); does the host run?"));
  }

  @Test
  void shouldAskWithoutEndForWhatHasWaitedLongOnEachLink() throws Exception {
    OwnClock clock = new OwnClock();
    space.close();
    link = prepare(SAME);
    ReconnectingLink own =
        new ReconnectingLink(
            this::nextLink, new UUID(1, 2), "", SETTINGS, NONE, this::receiver, clock);
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    FutureTask<Long> taker =
        start(() -> own.askAndWait(Operation.AWAIT_TAKE, Long.MAX_VALUE, X, new Event()));
    for (int i = 0; i < 2 * ReconnectingLink.MAX_RENEWALS; i++) {
      assertThat(link.next().operation()).isEqualTo(Operation.AWAIT_TAKE);
      clock.passedNs.addAndGet(120_000_000_000L);
      cut(SAME);
    }
    answer(link.next(), 0);
    assertThat(get(taker)).isZero();
    own.close();
  }
}
