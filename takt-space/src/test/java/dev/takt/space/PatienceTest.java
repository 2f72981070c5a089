package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a transaction waits for one of higher rank that stands still. */
class PatienceTest {
  private static final Event EVENT = new Event("kind", "token");

  @Test
  void shouldNeverGetSmallerWhenATransactionIsTriedAgain() {
    for (int patience : new int[] {1, 1_000, 1 << 30}) {
      for (int maxRetries = 0; maxRetries <= 30; maxRetries++) {
        long last = 0;
        for (int retries = 0; retries <= 255; retries++) {
          long looks = Contender.looks(patience, maxRetries, retries);
          assertThat(looks)
              .as("patience=%d maxRetries=%d retries=%d", patience, maxRetries, retries)
              .isGreaterThanOrEqualTo(Math.max(patience, last));
          last = looks;
        }
      }
    }
  }

  /** However long the settings say, the wait ends: a test that hangs is ended by the time limit. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 4, 13, 14, 30})
  @Timeout(30)
  void shouldGiveUpOnTransactionThatStandsStill(int maxRetries) {
    EventSpace space =
        EventSpace.create(
            SpaceSettings.DEFAULTS
                .withCapacity(8)
                .withMaxRetries(maxRetries)
                .withPatience(maxRetries == 30 ? 1 << 30 : 1_000));
    space.write(EVENT);
    try (Transaction still = space.newTransaction()) {
      still.begin(1_000_000, maxRetries);
      assertThat(still.take(EVENT)).isNotNull();
      assertThat(space.take(EVENT)).as("taken from the one that stands still").isNotNull();
      assertThat(still.commit()).isFalse();
    }
  }
}
