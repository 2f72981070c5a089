package dev.takt.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.rtj.BaselineProgram;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RoundTripRunTest {
  private static final int TURNS = 3;
  private static final int ROUNDS = 40;
  private static final int LONG_MS = 10_000;

  @TempDir private Path folder;

  private RoundTripRun.Trip found(HostLink link) throws Exception {
    RoundTripRun run =
        new RoundTripRun(
            folder.toString(), List.of(link), TURNS, ROUNDS, LONG_MS, false, BaselineProgram.NONE);
    RoundTripRun.Found found = run.run();
    assertThat(found.failures()).isEmpty();
    return found.trips().get(link.word());
  }

  @Test
  void shouldCountTheRoundsOfAllTurnsAndNoneOfTheirWarmUp() throws Exception {
    RoundTripRun.Trip trip = found(HostLink.SOCKET);

    assertThat(trip.roundNs().getTotalCount()).isEqualTo(TURNS * ROUNDS);
    assertThat(trip.partNs()).isEmpty();
  }

  @Test
  void shouldTimeEitherARoundOrItsRequests() throws Exception {
    RoundTripRun.Trip trip = found(HostLink.SHM);

    long byParts = trip.partNs().getFirst().getTotalCount();
    assertThat(byParts).isBetween(1L, TURNS * ROUNDS / 2L);
    assertThat(trip.partNs().getLast().getTotalCount()).isEqualTo(byParts);
    assertThat(trip.roundNs().getTotalCount()).isEqualTo(TURNS * ROUNDS - byParts);
  }
}
