package dev.takt.testkit;

import dev.takt.testkit.EquivalenceRun.Tally;
import org.junit.jupiter.api.Test;

/**
 * What {@link SequentialTest} and {@link ErrorInjectionTest} do at length, with a few thousand
 * operations that are always the same: quick enough to be run beside each of many faults.
 */
class QuickModelTest {
  private static final int OPERATIONS = 1_000;

  @Test
  void shouldAgreeWithReferenceInSmallSpaces() {
    for (long seed = 1; seed <= 3; seed++) {
      new EquivalenceRun(seed, new Tally()).run(OPERATIONS);
    }
  }

  @Test
  void shouldAgreeWithReferenceWhenCountersPassTheirEnds() {
    for (long seed = 1; seed <= 3; seed++) {
      EquivalenceRun.acrossEnds(seed, new Tally()).run(OPERATIONS);
    }
  }

  @Test
  void shouldAgreeWithReferenceWhenSlotsAreFreedLater() {
    for (long seed = 1; seed <= 2; seed++) {
      EquivalenceRun.roomy(seed, new Tally()).run(2 * OPERATIONS);
    }
  }

  /** With more room than is ever filled, free slots are kept: seed 4, among these. */
  @Test
  void shouldHoldTheWholeCapacityAfterOperationsThatThrow() {
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
    // what subscribers throw
    thread.setUncaughtExceptionHandler((any, e) -> {});
    try {
      for (long seed = 1; seed <= 4; seed++) {
        new ErrorRun().run(seed, OPERATIONS / 2, (random, action) -> action.run());
      }
    } finally {
      thread.setUncaughtExceptionHandler(handler);
    }
  }
}
