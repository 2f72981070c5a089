package dev.takt.testkit;

import static dev.takt.testkit.History.ANY;
import static dev.takt.testkit.History.aborted;
import static dev.takt.testkit.History.committed;
import static dev.takt.testkit.History.readAll;
import static dev.takt.testkit.History.take;
import static dev.takt.testkit.History.test;
import static dev.takt.testkit.History.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The checker finds the classic violations in histories made by hand, and accepts their legal
 * counterparts.
 */
class SerialCheckerTest {
  private static final Pattern KEY_0 = new Pattern(0, ANY);
  private static final Pattern KEY_1 = new Pattern(1, ANY);

  private static void assertLegal(Unit... history) {
    assertThat(SerialChecker.violation(List.of(history))).isNull();
  }

  private static void assertIllegal(Unit... history) {
    assertThat(SerialChecker.violation(List.of(history))).isNotNull();
  }

  private static Fact fact(int key, int id) {
    return new Fact(key, id);
  }

  @Test
  void shouldAcceptOverlappingTransactionsInEitherOrder() {
    assertLegal(
        committed(0, 1, 5, write(0, 1)),
        committed(1, 2, 6, take(KEY_0, fact(0, 1))),
        committed(2, 3, 7, test(KEY_0, false)));
  }

  @Test
  void shouldRejectLostUpdate() {
    // Both took the counter with value 0 and wrote it with value 1.
    assertIllegal(
        committed(0, 0, 1, write(0, 0)),
        committed(1, 2, 8, take(KEY_0, fact(0, 0)), write(0, 1)),
        committed(2, 3, 9, take(KEY_0, fact(0, 0)), write(0, 1)));
  }

  @Test
  void shouldAcceptUpdatesInTurn() {
    assertLegal(
        committed(0, 0, 1, write(0, 0)),
        committed(1, 2, 8, take(KEY_0, fact(0, 1)), write(0, 2)),
        committed(2, 3, 9, take(KEY_0, fact(0, 0)), write(0, 1)));
  }

  @Test
  void shouldRejectWriteSkew() {
    assertIllegal(
        committed(0, 1, 5, test(KEY_0, false), write(1, 1)),
        committed(1, 2, 6, test(KEY_1, false), write(0, 1)));
  }

  @Test
  void shouldAcceptSkewThatOneOfThemSaw() {
    assertLegal(
        committed(0, 1, 5, test(KEY_0, false), write(1, 1)),
        committed(1, 2, 6, test(KEY_1, true), write(0, 1)));
  }

  @Test
  void shouldRejectDirtyReadOfAbortedWriter() {
    assertIllegal(
        aborted(0, 1, 5, write(0, 1)), committed(1, 2, 6, take(KEY_0, fact(0, 1)), write(0, 1)));
  }

  @Test
  void shouldRejectDirtyReadByAbortedReader() {
    assertIllegal(aborted(0, 1, 5, write(0, 1)), aborted(1, 2, 6, take(KEY_0, fact(0, 1))));
  }

  @Test
  void shouldRejectReadFromTheFuture() {
    assertIllegal(aborted(1, 2, 3, take(KEY_0, fact(0, 1))), committed(0, 5, 6, write(0, 1)));
  }

  @Test
  void shouldRejectDoubleTake() {
    assertIllegal(
        committed(0, 0, 1, write(0, 1)),
        committed(1, 2, 5, take(KEY_0, fact(0, 1))),
        committed(2, 3, 6, take(KEY_0, fact(0, 1))));
  }

  @Test
  void shouldAcceptDoubleTakeOfEqualEvents() {
    assertLegal(
        committed(0, 0, 1, write(0, 1), write(0, 1)),
        committed(1, 2, 5, take(KEY_0, fact(0, 1))),
        committed(2, 3, 6, take(KEY_0, fact(0, 1))));
  }

  @Test
  void shouldRejectTakeThatDoesNotMatch() {
    assertIllegal(committed(0, 0, 1, write(0, 1)), committed(1, 2, 5, take(KEY_1, fact(0, 1))));
  }

  @Test
  void shouldRejectStaleResultAfterTheWriterHasEnded() {
    assertIllegal(committed(0, 0, 1, write(0, 1)), committed(1, 2, 3, test(KEY_0, false)));
  }

  @Test
  void shouldRejectHalfSeenTransaction() {
    assertIllegal(
        committed(0, 0, 9, write(0, 1), write(1, 1)),
        committed(1, 1, 8, test(KEY_0, true), test(KEY_1, false)));
  }

  @Test
  void shouldRejectEventThatVanished() {
    assertIllegal(committed(0, 0, 1, write(0, 1)), committed(1, 2, 3, take(KEY_0, null)));
  }

  @Test
  void shouldLetPollMissAnEvent() {
    assertLegal(
        committed(0, 0, 1, write(0, 1)), committed(1, 2, 3, new Op(Kind.POLL, KEY_0, null)));
  }

  @Test
  void shouldLetPeekMissAnEventAndNotSeeOneThatIsNotThere() {
    assertLegal(
        committed(0, 0, 1, write(0, 1)), committed(1, 2, 3, new Op(Kind.PEEK, KEY_0, null)));
    assertIllegal(
        committed(0, 0, 1, write(0, 1), take(KEY_0, fact(0, 1))),
        committed(1, 2, 3, new Op(Kind.PEEK, KEY_0, fact(0, 1))));
  }

  @Test
  void shouldRejectALookAtAllThatMissesOneOrSeesOneTwice() {
    Unit written = committed(0, 0, 1, write(0, 1), write(0, 2), write(1, 1));
    assertLegal(written, committed(1, 2, 3, readAll(KEY_0, fact(0, 2), fact(0, 1))));
    assertIllegal(written, committed(1, 2, 3, readAll(KEY_0, fact(0, 1))));
    assertIllegal(written, committed(1, 2, 3, readAll(KEY_0, fact(0, 1), fact(0, 2), fact(0, 1))));
    assertIllegal(written, committed(1, 2, 3, readAll(KEY_0, fact(0, 1), fact(0, 2), fact(1, 1))));
  }

  @Test
  void shouldSeeOwnWritesAndTakes() {
    assertLegal(
        committed(
            0, 0, 1, write(0, 1), test(KEY_0, true), take(KEY_0, fact(0, 1)), test(KEY_0, false)));
    assertIllegal(committed(0, 0, 1, write(0, 1), test(KEY_0, false)));
  }

  @Test
  void shouldLetAnUnknownTransactionHappenOrNot() {
    Unit unknown =
        new Unit(0, 0, Long.MAX_VALUE, Outcome.UNKNOWN, List.of(write(0, 1), write(1, 1)));
    assertLegal(
        unknown, committed(1, 1, 2, test(KEY_0, false)), committed(1, 3, 4, test(KEY_0, true)));
    assertLegal(
        unknown, committed(1, 1, 2, test(KEY_0, false)), committed(1, 3, 4, test(KEY_0, false)));
    assertIllegal(
        unknown, committed(1, 1, 2, test(KEY_0, true)), committed(1, 3, 4, test(KEY_1, false)));
  }

  @Test
  void shouldCheckTheLongestHistoryInBoundedTime() {
    List<Unit> history = new ArrayList<>();
    for (int i = 0; i < SerialChecker.MAX_UNITS - 1; i++) {
      int thread = i % 4;
      history.add(
          committed(
              thread, i, i + 3, write(thread, i), take(new Pattern(thread, i), fact(thread, i))));
    }
    assertThat(SerialChecker.violation(history)).isNull();
    history.add(committed(0, 1000, 1001, test(KEY_0, true)));
    assertThat(SerialChecker.violation(history)).isNotNull();
    history.add(committed(0, 1002, 1003, test(KEY_0, true)));
    assertThatThrownBy(() -> SerialChecker.violation(history))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transactions=64");
  }
}
