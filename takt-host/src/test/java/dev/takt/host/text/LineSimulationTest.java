package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.session.Session;
import dev.takt.session.SocketTransport;
import dev.takt.session.TransportSettings;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.net.NetworkSettings;
import dev.takt.testkit.net.SimulatedNetwork;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines in a simulated network, wherever they are cut. */
@Timeout(120)
class LineSimulationTest {
  private static final int PORT = 7;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final TcpLimits SILENT = TcpLimits.DEFAULTS.withIdleNs(0);
  private static final String LINES =
      """
      write {"a":1}
      begin
      take {"a":{"$any":true}}
      commit
      take {"b":"é"} 5ms
      count
      """;

  /** Serves one client, whose transport has the only limit for silence: half a minute. */
  private static void serve(SimulatedNetwork network, EventSpace space) throws IOException {
    ServerSocket listening = network.listen(PORT);
    ClientAccounts accounts = ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
    TextProtocol protocol = TextProtocol.start(space, accounts, TextForm.LINES, SILENT, network);
    TransportSettings settings = TransportSettings.DEFAULTS;
    network.start(
        "host",
        () -> {
          try (SocketTransport transport = SocketTransport.of(listening.accept(), settings)) {
            protocol.serve(transport);
          }
          return null;
        });
  }

  private static Session<String> talk(SimulatedNetwork network, EventSpace space)
      throws IOException {
    serve(network, space);
    return network.start(
        "client",
        () -> {
          try (Socket socket = network.connect(PORT)) {
            socket.getOutputStream().write(LINES.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          }
        });
  }

  private static EventSpace space() {
    return EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
  }

  @Test
  void shouldAnswerLinesWhereverTheyAreCut() {
    SimulatedNetwork.everySplit(
        LINES.getBytes(StandardCharsets.UTF_8).length,
        NetworkSettings.DEFAULTS,
        network -> {
          EventSpace space = space();
          Session<String> client = talk(network, space);
          network.runFor(LONG);
          assertThat(client.outcome()).as("%s", network).isNotNull();
          assertThat(client.outcome().value())
              .isEqualTo("ok\nok 1\nok {\"a\":1}\nok\nnone\nok 0\n");
        });
  }

  @Test
  void shouldNotCutOffWhoWaitsLongerThanItsTransportAllowsForSilence() {
    SimulatedNetwork.explore(
        1,
        NetworkSettings.DEFAULTS,
        network -> {
          EventSpace space = space();
          serve(network, space);
          Session<String> client =
              network.start(
                  "client",
                  () -> {
                    try (Socket socket = network.connect(PORT)) {
                      byte[] line = "take {\"a\":1} forever\n".getBytes(StandardCharsets.UTF_8);
                      socket.getOutputStream().write(line);
                      byte[] answer = socket.getInputStream().readNBytes(11);
                      return new String(answer, StandardCharsets.UTF_8);
                    }
                  });
          network.runFor(Duration.ofMinutes(5));
          space.write(new Event("a", 1));
          network.runFor(Duration.ofSeconds(1));
          assertThat(client.outcome()).as("%s", network).isNotNull();
          assertThat(client.outcome().value()).isEqualTo("ok {\"a\":1}\n");
          network.runFor(LONG);
          assertThat(space.stats().subscriptions()).isZero();
        });
  }

  @Test
  void shouldLeaveNothingBehindWhateverTheNetworkDoes() {
    SimulatedNetwork.explore(
        100,
        NetworkSettings.HOSTILE,
        network -> {
          EventSpace space = space();
          talk(network, space);
          network.runFor(LONG);
          assertThat(space.stats().subscriptions()).as("%s", network).isZero();
          assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
        });
  }
}
