package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.ConflictDeferral.Deferred;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread runs transactions of several users, none of which waits for another. */
@Timeout(30)
class ConflictDeferralTest {
  private static final long PATIENCE_NS = 1_000_000;
  private static final Event TOKEN = new Event("kind", "token");
  private static final Event OTHER = new Event("kind", "other");

  private static final class Clock implements WaitClock {
    private long nowNs = 5;

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      throw new AssertionError("nothing waits");
    }
  }

  private final Clock clock = new Clock();
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withPatience(1_000), clock);
  private final ConflictDeferral deferral = new ConflictDeferral(space);
  private final Transaction higher = space.newTransaction();
  private final Transaction lower = space.newTransaction();

  @BeforeEach
  void begin() {
    deferral.begin();
  }

  @AfterEach
  void end() {
    deferral.end();
    higher.close();
    lower.close();
    space.forEach(new Event(), event -> {});
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  private void shouldDefer(ThrowingCallable operation) {
    assertThatThrownBy(operation).isInstanceOf(Deferred.class);
    assertThat(deferral.mayGoOn(clock.nowNs)).isFalse();
  }

  private void shouldGoOn() {
    assertThat(deferral.mayGoOn(clock.nowNs)).isTrue();
  }

  @Test
  void shouldTakeAnEventWhenTheOneThatHasClaimedItIsRolledBack() {
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    shouldDefer(() -> space.take(TOKEN));
    shouldDefer(() -> space.take(TOKEN));
    higher.rollback();
    shouldGoOn();
    assertThat(space.take(TOKEN)).isNotNull();
  }

  @Test
  void shouldFindNothingWhenTheOneThatHasClaimedItCommits() {
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    lower.begin();
    shouldDefer(() -> lower.take(TOKEN));
    assertThat(lower.isRunning()).as("it goes on").isTrue();
    assertThat(higher.commit()).isTrue();
    shouldGoOn();
    assertThat(lower.take(TOKEN)).isNull();
    assertThat(lower.commit()).isTrue();
  }

  /** What waits on its thread keeps its claim; what is deferred would meet a next one for ever. */
  @Test
  void shouldPrevailAfterOneThatItHasMetHasEndedAndThenAnother() {
    space.write(TOKEN);
    lower.begin();
    lower.read(TOKEN);
    shouldDefer(() -> space.take(TOKEN));
    higher.begin();
    higher.read(TOKEN);
    assertThat(lower.commit()).isTrue();
    shouldGoOn();
    shouldDefer(() -> space.take(TOKEN));
    lower.begin();
    lower.read(TOKEN);
    assertThat(higher.commit()).isTrue();
    shouldGoOn();
    assertThat(space.take(TOKEN)).isNotNull();
    assertThat(lower.isRunning()).as("the third of its readers").isFalse();
  }

  @Test
  void shouldWriteOnceWhenAWriteWasDeferred() {
    higher.begin(1, 0);
    assertThat(higher.test(TOKEN)).isFalse();
    shouldDefer(() -> space.write(TOKEN));
    assertThat(space.count(TOKEN)).isZero();
    assertThat(higher.commit()).isTrue();
    space.write(TOKEN);
    assertThat(space.count(TOKEN)).isEqualTo(1);
  }

  @Test
  void shouldCommitOnceWhenACommitWasDeferred() {
    List<String> seen = new ArrayList<>();
    space.subscribe(TOKEN, (Subscriber) _ -> seen.add("token"));
    space.subscribe(OTHER, (Subscriber) _ -> seen.add("other"));
    higher.begin(1, 0);
    assertThat(higher.test(TOKEN)).isFalse();
    lower.begin();
    lower.write(OTHER);
    lower.write(TOKEN);
    for (int i = 0; i < 10; i++) {
      shouldDefer(lower::commit);
      assertThat(space.count(new Event())).isZero();
    }
    assertThat(higher.commit()).isTrue();
    assertThat(lower.commit()).isTrue();
    assertThat(space.count(TOKEN)).isEqualTo(1);
    assertThat(space.count(OTHER)).isEqualTo(1);
    assertThat(seen).containsExactlyInAnyOrder("token", "other");
  }

  /** The one of higher rank looks again, and meets what is about to be written. */
  @Test
  void shouldLoseWhenTheOtherOneMeetsWhatADeferredCommitIsAboutToWrite() {
    higher.begin(1, 0);
    assertThat(higher.test(TOKEN)).isFalse();
    lower.begin();
    lower.write(TOKEN);
    shouldDefer(lower::commit);
    assertThat(higher.test(TOKEN)).as("the promise holds").isFalse();
    assertThat(lower.commit()).isFalse();
    assertThat(higher.commit()).isTrue();
    assertThat(space.count(TOKEN)).isZero();
  }

  /** Of a write alone the slot decides, unless it meets a guard. */
  @Test
  void shouldCommitOnceWhenTheCommitOfASingleWriteWasDeferred() {
    higher.begin(1, 0);
    assertThat(higher.test(TOKEN)).isFalse();
    lower.begin();
    lower.write(TOKEN);
    shouldDefer(lower::commit);
    assertThat(higher.commit()).isTrue();
    assertThat(lower.commit()).isTrue();
    assertThat(space.count(TOKEN)).isEqualTo(1);
  }

  @Test
  void shouldLeaveNothingWhenATransactionIsRolledBackWhoseCommitWasDeferred() {
    higher.begin(1, 0);
    assertThat(higher.test(TOKEN)).isFalse();
    lower.begin();
    lower.write(TOKEN);
    shouldDefer(lower::commit);
    lower.rollback();
    assertThat(higher.commit()).isTrue();
    assertThat(space.count(new Event())).isZero();
    lower.begin();
    lower.write(OTHER);
    assertThat(lower.commit()).isTrue();
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  @Test
  void shouldRefuseOperationsBetweenTheCallsOfADeferredCommit() {
    higher.begin(1, 0);
    assertThat(higher.test(TOKEN)).isFalse();
    lower.begin();
    lower.write(TOKEN);
    shouldDefer(lower::commit);
    assertThatThrownBy(() -> lower.write(OTHER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("commit()");
    assertThat(higher.commit()).isTrue();
    assertThat(lower.commit()).isTrue();
    assertThat(space.count(OTHER)).isZero();
  }

  @Test
  void shouldGoBeforeOneThatStandsStillForAllItsTime() {
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    shouldDefer(() -> space.take(TOKEN));
    clock.nowNs += PATIENCE_NS - 1;
    shouldDefer(() -> space.take(TOKEN));
    clock.nowNs++;
    shouldGoOn();
    assertThat(space.take(TOKEN)).isNotNull();
    assertThat(higher.commit()).isFalse();
  }

  /** Each time that one was aborted it is given sixteen times as long, up to 100 ms. */
  @Test
  void shouldGiveOneThatWasTriedBeforeMoreTimeButNoMoreThanALimit() {
    space.write(TOKEN);
    higher.begin(1, 3);
    assertThat(higher.take(TOKEN)).isNotNull();
    shouldDefer(() -> space.take(TOKEN));
    clock.nowNs += ConflictResolver.LONGEST_PATIENCE_NS - 1;
    shouldDefer(() -> space.take(TOKEN));
    clock.nowNs++;
    assertThat(space.take(TOKEN)).isNotNull();
  }

  @Test
  void shouldGiveWayToOneThatHasMovedOn() {
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    lower.begin();
    shouldDefer(() -> lower.take(TOKEN));
    assertThat(higher.poll(OTHER, new Event())).isFalse();
    clock.nowNs += PATIENCE_NS;
    assertThatThrownBy(() -> lower.take(TOKEN)).isSameAs(EventSpace.CONFLICT);
    lower.rollback();
    assertThat(higher.commit()).isTrue();
  }

  /** Else a user who is tried again and again could keep a single operation waiting for ever. */
  @Test
  void shouldGoBeforeOneOfItsPriorityOnceItHasGivenWayMoreOften() {
    space.write(TOKEN);
    higher.begin(0, 1);
    assertThat(higher.take(TOKEN)).isNotNull();
    for (int losses = 0; losses < 2; losses++) {
      shouldDefer(() -> space.take(TOKEN));
      assertThat(higher.poll(OTHER, new Event())).isFalse();
      clock.nowNs += ConflictResolver.LONGEST_PATIENCE_NS;
    }
    assertThat(space.take(TOKEN)).isNotNull();
    assertThat(higher.commit()).isFalse();
  }

  @Test
  void shouldBeginAnewOnceTheWaitIsForgotten() {
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    shouldDefer(() -> space.take(TOKEN));
    clock.nowNs += PATIENCE_NS;
    deferral.clear();
    shouldDefer(() -> space.take(TOKEN));
    higher.rollback();
  }

  @Test
  void shouldAbortOneOfLowerRankAtOnce() {
    space.write(TOKEN);
    lower.begin();
    assertThat(lower.take(TOKEN)).isNotNull();
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    assertThat(higher.commit()).isTrue();
    assertThat(lower.commit()).isFalse();
  }

  /** Each attempt guards all matches: kept, they would be too many at last. */
  @Test
  void shouldKeepNoGuardsOfALookAtAllThatWasDeferred() {
    for (int i = 0; i < 10; i++) {
      space.write(TOKEN);
    }
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    lower.begin();
    assertThat(lower.test(OTHER)).isFalse();
    int guards = lower.guardCount;
    for (int i = 0; i < 10; i++) {
      shouldDefer(() -> lower.forEach(TOKEN, _ -> {}));
      assertThat(lower.guardCount).isEqualTo(guards);
    }
    assertThat(higher.commit()).isTrue();
    assertThat(lower.forEach(TOKEN, _ -> {})).isEqualTo(9);
    assertThat(lower.commit()).isTrue();
  }

  /** It knows nothing of deferrals. */
  @Test
  void shouldLetOperationsOfSubscribersWait() {
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    List<Event> taken = new ArrayList<>();
    space.subscribe(OTHER, (Subscriber) _ -> taken.add(space.take(TOKEN)));
    space.write(OTHER);
    assertThat(taken).as("what it has waited for, until that had stood still").doesNotContainNull();
    assertThat(taken).hasSize(1);
    shouldGoOn();
  }

  @Test
  void shouldConcernNeitherOtherSpacesNorWhatComesAfterTheEnd() {
    EventSpace second = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8).withPatience(10));
    second.write(TOKEN);
    try (Transaction still = second.newTransaction()) {
      still.begin(1, 0);
      assertThat(still.take(TOKEN)).isNotNull();
      assertThat(second.take(TOKEN)).as("of another space").isNotNull();
    }
    space.write(TOKEN);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    deferral.end();
    assertThat(space.take(TOKEN)).as("after the end").isNotNull();
  }

  /** Its caller would not know what to call again: the events would be lost. */
  @Test
  void shouldPutBackWhatTheSinkOfATakeOfAllDidNotGet() {
    space.write(TOKEN);
    RuntimeException thrown = new RuntimeException("of the sink");
    assertThatThrownBy(
            () ->
                space.takeAll(
                    TOKEN,
                    1,
                    _ -> {
                      higher.begin(1, 0);
                      assertThat(higher.test(TOKEN)).isFalse();
                      throw thrown;
                    }))
        .isSameAs(thrown)
        .hasNoSuppressedExceptions();
    assertThat(space.count(TOKEN)).isZero(); // the one that was given was taken
    space.write(OTHER);
    space.write(OTHER);
    higher.rollback();
    assertThatThrownBy(
            () ->
                space.takeAll(
                    OTHER,
                    2,
                    _ -> {
                      higher.begin(1, 0);
                      assertThat(higher.test(OTHER)).isFalse();
                      throw thrown;
                    }))
        .isSameAs(thrown)
        .hasNoSuppressedExceptions();
    assertThat(space.count(OTHER)).as("the one that the sink did not get").isEqualTo(1);
    shouldDeferTake();
  }

  /** It defers again afterwards. */
  private void shouldDeferTake() {
    higher.rollback();
    higher.begin(1, 0);
    assertThat(higher.take(OTHER)).isNotNull();
    shouldDefer(() -> space.take(OTHER));
    higher.rollback();
  }

  @Test
  void shouldCountNoLossWhenTheOtherOneHasStoodStill() {
    space.write(TOKEN);
    space.write(OTHER);
    higher.begin(1, 0);
    assertThat(higher.take(TOKEN)).isNotNull();
    shouldDefer(() -> space.take(TOKEN));
    clock.nowNs += ConflictResolver.LONGEST_PATIENCE_NS;
    assertThat(space.take(TOKEN)).isNotNull();
    assertThat(higher.commit()).isFalse();
    assertThat(deferral.losses()).isZero();
  }
}
