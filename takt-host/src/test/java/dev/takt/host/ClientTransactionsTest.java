package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.space.Abort;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of a transaction that was refused. */
class ClientTransactionsTest {
  @Test
  void shouldKeepTheKindAndTheBeginningOfARefusal() {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8));
    String event = "x".repeat(100_000);
    List<Throwable> refusals =
        List.of(
            new SecurityException("no right to write " + event),
            new IllegalArgumentException("too large " + event),
            Abort.of(Abort.Reason.SPACE_FULL, "no room for " + event));
    try (ClientTransactions transactions = new ClientTransactions(space, 3, 1_000)) {
      for (Throwable each : refusals) {
        int number = transactions.begin(0, 0, 0);
        transactions.fail(number, each);
        Throwable kept = catchThrowable(() -> transactions.get(number));
        assertThat(kept).isInstanceOf(each.getClass());
        assertThat(each.getMessage()).startsWith(kept.getMessage());
        assertThat(kept.getMessage()).hasSizeBetween(200, 300);
      }
    }
  }
}
