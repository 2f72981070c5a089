package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random operations on one thread give exactly the results of the reference model, order included.
 */
@ExtendWith(LeakCheck.class)
class SequentialTest {
  private static final int OPERATIONS_OF_A_SPACE = 5_000;

  private final long seed = Seeds.seed();

  @Test
  void shouldAgreeWithReferenceForRandomOperations() {
    long wanted = Seeds.isReplay() ? 1 : Seeds.size(3_000_000, 100_000_000);
    long done = 0;
    long spaces = 0;
    EquivalenceRun.Tally tally = new EquivalenceRun.Tally();
    while (done < wanted) {
      long current = seed + spaces++;
      try {
        done += new EquivalenceRun(current, tally).run(OPERATIONS_OF_A_SPACE);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(Seeds.replay(current) + ": " + e.getMessage(), e);
      }
    }
    System.out.printf(
        "equivalence: %,d operations on %,d spaces agree, from %s: %s%n",
        done, spaces, Seeds.replay(seed), tally);
    if (!Seeds.isReplay()) {
      assertThat(tally.found).as("takes that found something").isGreaterThan(wanted / 50);
      assertThat(tally.refused).as("writes into a full space").isGreaterThan(wanted / 1000);
      assertThat(tally.rolledBack).isGreaterThan(wanted / 1000);
    }
  }

  @Test
  void shouldAgreeWithReferenceWhenCountersPassTheirEnds() {
    long wanted = Seeds.isReplay() ? 1 : Seeds.size(200_000, 20_000_000);
    long done = 0;
    long spaces = 0;
    while (done < wanted) {
      long current = seed + spaces++;
      try {
        done +=
            EquivalenceRun.acrossEnds(current, new EquivalenceRun.Tally())
                .run(OPERATIONS_OF_A_SPACE);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(Seeds.replay(current) + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void shouldAgreeWithReferenceWhenSlotsAreFreedLater() {
    long wanted = Seeds.isReplay() ? 1 : Seeds.size(500_000, 20_000_000);
    long done = 0;
    long spaces = 0;
    EquivalenceRun.Tally tally = new EquivalenceRun.Tally();
    while (done < wanted) {
      long current = seed + spaces++;
      try {
        done += EquivalenceRun.roomy(current, tally).run(OPERATIONS_OF_A_SPACE);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(Seeds.replay(current) + ": " + e.getMessage(), e);
      }
    }
    assertThat(tally.refused).as("writes into a full space").isZero();
  }

  @Test
  void shouldNoticeOneWrongResult() {
    // The run compares with a model that has lost one event.
    EquivalenceRun run = new EquivalenceRun(seed, new EquivalenceRun.Tally());
    run.loseOneEventAfter(500);
    assertThatThrownBy(() -> run.run(OPERATIONS_OF_A_SPACE))
        .as(Seeds.replay(seed))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void shouldMatchAsThePaperSays() {
    Map<String, Object> event = Map.of("stock", "APPL", "value", 3);
    java.util.HashMap<String, Object> wildcard = new java.util.HashMap<>(event);
    wildcard.put("stock", null);
    assertThat(ReferenceSpace.matches(event, event)).isTrue();
    assertThat(ReferenceSpace.matches(wildcard, event)).isTrue();
    assertThat(ReferenceSpace.matches(Map.of("stock", "APPL"), event)).isTrue();
    assertThat(ReferenceSpace.matches(event, Map.of("stock", "APPL"))).isFalse();
    assertThat(ReferenceSpace.matches(Map.of(), event)).isTrue();
  }
}
