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
          long looks = ConflictResolver.looks(patience, maxRetries, retries);
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

  /**
   * With the patience of the settings this would last for 100 ms each time, and longer than the
   * time limit in all.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(30)
  void shouldNotWaitForReaderThatStandsStillInItsFirstAttempt(boolean present) {
    EventSpace space =
        EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8).withPatience(1 << 30));
    // the first descriptor: of equal ranks its own is the higher
    try (Transaction still = first(space)) {
      for (int i = 0; i < 1_000; i++) {
        if (present) {
          space.write(EVENT);
        }
        still.begin();
        assertThat(still.test(EVENT)).isEqualTo(present);
        if (present) {
          assertThat(space.poll(EVENT, new Event())).isTrue();
        } else {
          space.write(EVENT);
          assertThat(space.take(EVENT)).isNotNull();
        }
        assertThat(still.commit()).as("what it has seen is so no more").isFalse();
      }
    }
  }

  /** Where a thread's descriptors begin depends on the thread, so all are asked for. */
  private static Transaction first(EventSpace space) {
    Transaction[] all = new Transaction[space.settings().maxTransactions()];
    for (int i = 0; i < all.length; i++) {
      all[i] = space.newTransaction();
    }
    Transaction first = all[0];
    for (Transaction transaction : all) {
      if (transaction.owner < first.owner) {
        first = transaction;
      }
    }
    for (Transaction transaction : all) {
      if (transaction != first) {
        transaction.close();
      }
    }
    return first;
  }
}
