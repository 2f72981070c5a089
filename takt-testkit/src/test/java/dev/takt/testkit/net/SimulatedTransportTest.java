package dev.takt.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.session.Session;
import dev.takt.session.SessionOutcome;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportException;
import dev.takt.session.TransportSettings;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The transport over sockets, as it is shipped, in a simulated network. */
class SimulatedTransportTest {
  private static final int PORT = 25;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final TransportSettings SETTINGS = TransportSettings.DEFAULTS.withMaxLineBytes(20);

  private interface Use {
    Object with(Transport transport) throws Exception;
  }

  /** Lets a raw socket and a transport meet; returns how the transport's session ended. */
  private static SessionOutcome<Object> meet(
      SimulatedNetwork network, TransportSettings settings, byte[] written, Use use)
      throws IOException {
    ServerSocket server = network.listen(PORT);
    Session<Object> session =
        network.start("transport", () -> use.with(SocketTransport.of(server.accept(), settings)));
    network.start(
        "raw",
        () -> {
          Socket socket = network.connect(PORT);
          socket.getOutputStream().write(written);
          socket.shutdownOutput();
          network.sleep(LONG);
          return socket;
        });
    network.runFor(LONG);
    assertThat(session.outcome()).as("%s", network).isNotNull();
    return session.outcome();
  }

  private static List<String> readAll(Transport transport) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = transport.readLine(); line != null; line = transport.readLine()) {
      lines.add(line);
    }
    return lines;
  }

  @Test
  void shouldReadLinesWhereverTheyAreCut() {
    byte[] bytes = "a\r\n\nzwölf €\n\r\nthe longest line: 20\r\n".getBytes(StandardCharsets.UTF_8);
    SimulatedNetwork.everySplit(
        bytes.length,
        NetworkSettings.DEFAULTS,
        network ->
            assertThat(meet(network, SETTINGS, bytes, SimulatedTransportTest::readAll).value())
                .isEqualTo(List.of("a", "", "zwölf €", "", "the longest line: 20")));
  }

  @Test
  void shouldRefuseALineThatIsTooLongOrNotCompleteWhereverItIsCut() {
    for (String line : List.of("123456789 123456789 1\n", "123456789 123456789 123456789", "12")) {
      SimulatedNetwork.everySplit(
          line.length(),
          NetworkSettings.DEFAULTS,
          network ->
              assertThat(meet(network, SETTINGS, line.getBytes(), Transport::readLine))
                  .isInstanceOfSatisfying(
                      SessionOutcome.Failed.class,
                      end -> assertThat(end.cause()).isInstanceOf(TransportException.class)));
    }
  }

  @Test
  void shouldKeepTheTimeOfAReadByTheTimeOfTheNetwork() {
    SimulatedNetwork.explore(
        20,
        NetworkSettings.DEFAULTS.withSilencePerMille(1_000).withFaultWithin(Duration.ofNanos(1)),
        network -> {
          ServerSocket server = network.listen(PORT);
          network.start("server", server::accept);
          Session<Long> client =
              network.start(
                  "client",
                  () -> {
                    Socket socket = network.connect(PORT);
                    long beginNs = network.nanoTime();
                    try {
                      return (long) SocketTransport.of(socket, SETTINGS).readLine().length();
                    } catch (SocketTimeoutException silent) {
                      return network.nanoTime() - beginNs;
                    }
                  });
          network.runFor(LONG);
          assertThat(client.outcome().value()).isEqualTo(SETTINGS.idleTimeout().toNanos());
        });
  }

  @Test
  void shouldKeepTheTimeOfAWriteByTheTimeOfTheNetwork() {
    SimulatedNetwork.explore(
        20,
        NetworkSettings.DEFAULTS.withWindowBytes(50),
        network -> {
          ServerSocket server = network.listen(PORT);
          network.start("server", server::accept);
          List<Long> times = new ArrayList<>();
          Session<Object> client =
              network.start(
                  "client",
                  () -> {
                    Transport transport = SocketTransport.of(network.connect(PORT), SETTINGS);
                    for (int i = 0; i < 5; i++) {
                      times.add(network.nanoTime());
                      transport.writeLine("twelve bytes");
                    }
                    return null;
                  });
          network.runFor(LONG);
          assertThat(client.outcome())
              .isInstanceOfSatisfying(
                  SessionOutcome.Failed.class,
                  end ->
                      assertThat(end.cause())
                          .isInstanceOf(SocketTimeoutException.class)
                          .hasMessageContaining("no room for a line within 30000 ms"));
          long endNs = network.trace().getLast().timeNs();
          assertThat(endNs - times.getLast()).isBetween(30_000_000_000L, 30_010_000_000L);
        });
  }

  /** Asks with numbers and takes what comes as answers, until all are answered or it fails. */
  private static List<String> ask(SimulatedNetwork network) throws IOException {
    List<String> answers = new ArrayList<>();
    try (Transport transport = SocketTransport.of(network.connect(PORT), SETTINGS)) {
      for (int i = 0; i < 10; i++) {
        transport.writeLine("question " + i);
        answers.add(transport.readLine());
      }
    } catch (IOException lost) {
      // what came before it counts
    }
    return answers;
  }

  @Test
  void shouldGetTheRightAnswersOrFailWhateverTheNetworkDoes() {
    int[] all = new int[11];
    SimulatedNetwork.explore(
        300,
        NetworkSettings.HOSTILE.withWindowBytes(16),
        network -> {
          ServerSocket server = network.listen(PORT);
          network.start(
              "server",
              () -> {
                Transport transport = SocketTransport.of(server.accept(), SETTINGS);
                for (String line = transport.readLine();
                    line != null;
                    line = transport.readLine()) {
                  transport.writeLine("re: " + line);
                }
                transport.close();
                return null;
              });
          Session<List<String>> client = network.start("client", () -> ask(network));
          network.runFor(LONG);
          List<String> answers = client.outcome().value();
          for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo("re: question " + i);
          }
          all[answers.size()]++;
          assertThat(network.sessions().stats().running()).as("%s", network).isZero();
        });
    if (!Seeds.isReplay()) {
      assertThat(all[10]).as("runs with all answers").isBetween(100, 299);
    }
  }
}
