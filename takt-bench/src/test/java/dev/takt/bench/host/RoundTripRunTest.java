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

  @Test
  void shouldCountTheRoundsOfAllTurnsAndNoneOfTheirWarmUp() throws Exception {
    RoundTripRun run =
        new RoundTripRun(
            folder.toString(),
            List.of(HostLink.SOCKET),
            TURNS,
            ROUNDS,
            LONG_MS,
            false,
            BaselineProgram.NONE);

    RoundTripRun.Found found = run.run();

    assertThat(found.failures()).isEmpty();
    RoundTripRun.Trip trip = found.trips().get(HostLink.SOCKET.word());
    assertThat(trip.roundNs().getTotalCount()).isEqualTo(TURNS * ROUNDS);
    assertThat(trip.partNs())
        .allSatisfy(part -> assertThat(part.getTotalCount()).isEqualTo(TURNS * ROUNDS));
  }
}
