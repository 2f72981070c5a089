package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection inside of the JVM does what every transport does, and loses no wake-up. */
class InVmTransportTest extends TransportContract {
  @Override
  InVmTransport.Pair connect(TransportSettings settings) {
    return InVmTransport.pair(settings);
  }

  @Test
  void shouldWakeEachReaderAndWriterThatSuspendsHoweverCloseTheyMeet() throws Exception {
    int rounds = Seeds.size(100_000, 10_000_000);
    for (Duration patience : List.of(Duration.ZERO, Duration.ofNanos(20_000))) {
      TransportSettings settings = SETTINGS.withMaxQueuedLines(1).withMaxPatience(patience);
      List<Session<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        InVmTransport.Pair pair = connect(settings);
        sessions.start("echo", () -> Echo.run(pair.second()));
        clients.add(sessions.start("client", () -> ask(pair.first(), rounds / 3)));
      }
      for (Session<Integer> each : clients) {
        assertThat(each.await().value()).isEqualTo(rounds / 3);
      }
    }
  }

  private static int ask(Transport transport, int rounds) throws Exception {
    try (transport) {
      for (int i = 0; i < rounds; i++) {
        transport.writeLine("x");
        if (transport.readLine() == null) {
          return i;
        }
      }
    }
    return rounds;
  }
}
