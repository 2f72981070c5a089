package dev.takt.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.session.Session;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.net.NetworkEvent.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Broken protocols are found, and the seed that is printed replays what was found. */
class FailuresTest {
  private static final int PORT = 4_000;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Comparator<NetworkEvent> BY_TIME =
      Comparator.comparingLong(NetworkEvent::timeNs);
  private static final Pattern SEED = Pattern.compile("-Dtakt\\.seed=(-?\\d+)");

  /** Asks for a length and as many bytes, believing that one read is one message. */
  private static int oneReadIsOneMessage(InputStream in) throws IOException {
    byte[] buffer = new byte[100];
    int count = in.read(buffer);
    assertThat(count).as("bytes of the message").isEqualTo(1 + buffer[0]);
    return count;
  }

  private static int wholeMessage(InputStream in) throws IOException {
    int length = in.read();
    assertThat(in.readNBytes(length)).hasSize(length);
    return 1 + length;
  }

  private interface Parser {
    int parse(InputStream in) throws IOException;
  }

  private static SimulatedNetwork.Scenario messages(Parser parser) {
    return network -> {
      ServerSocket server = network.listen(PORT);
      Session<Integer> reader =
          network.start("server", () -> parser.parse(server.accept().getInputStream()));
      network.start(
          "client",
          () -> {
            Socket socket = network.connect(PORT);
            socket.getOutputStream().write(new byte[] {4, 'a', 'b', 'c', 'd'});
            network.sleep(Duration.ofSeconds(1));
            return socket;
          });
      network.runFor(LONG);
      assertThat(reader.outcome().value()).isEqualTo(5);
    };
  }

  @Test
  void shouldFindTheBeliefThatOneReadIsOneMessageAndReplayItByThePrintedSeed() {
    SimulatedNetwork.Scenario broken = messages(FailuresTest::oneReadIsOneMessage);
    AssertionError found =
        catchThrowableOfType(
            AssertionError.class, () -> tryAll(50, NetworkSettings.DEFAULTS, broken));
    assertThat(found).isNotNull().hasMessageContaining("bytes of the message");
    assertThat(found.getMessage()).contains("RECEIVED", "NetworkSettings[", "server");

    Matcher seed = SEED.matcher(found.getMessage());
    assertThat(seed.find()).isTrue();
    assertThatThrownBy(
            () ->
                SimulatedNetwork.attempt(
                    Long.parseLong(seed.group(1)), NetworkSettings.DEFAULTS, broken))
        .isInstanceOf(AssertionError.class)
        .hasMessage(found.getMessage());
  }

  /** As {@link SimulatedNetwork#explore}, also when a seed is given. */
  private static void tryAll(
      int runs, NetworkSettings settings, SimulatedNetwork.Scenario scenario) {
    for (int i = 0; i < runs; i++) {
      SimulatedNetwork.attempt(Seeds.seed() + i, settings, scenario);
    }
  }

  @Test
  void shouldFindItAtEverySplitAndNothingWrongWithAParserThatIsRight() {
    assertThatThrownBy(
            () ->
                SimulatedNetwork.everySplit(
                    5, NetworkSettings.DEFAULTS, messages(FailuresTest::oneReadIsOneMessage)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("kind=SPLIT, bytes=1");

    SimulatedNetwork.everySplit(5, NetworkSettings.DEFAULTS, messages(FailuresTest::wholeMessage));
    SimulatedNetwork.explore(100, NetworkSettings.DEFAULTS, messages(FailuresTest::wholeMessage));
  }

  @Test
  void shouldCutAtEverySplitJustThereAndReadEverySize() {
    List<List<Integer>> sizes = new ArrayList<>();
    SimulatedNetwork.everySplit(
        5,
        NetworkSettings.DEFAULTS,
        messages(
            in -> {
              List<Integer> ofRun = new ArrayList<>();
              byte[] buffer = new byte[100];
              int sum = 0;
              while (sum < 5) {
                int count = in.read(buffer);
                ofRun.add(count);
                sum += count;
              }
              sizes.add(ofRun);
              return sum;
            }));
    assertThat(sizes)
        .containsExactly(
            List.of(1, 4), List.of(1, 1, 1, 1, 1),
            List.of(2, 3), List.of(2, 2, 1),
            List.of(3, 2), List.of(3, 2),
            List.of(4, 1), List.of(4, 1),
            List.of(5), List.of(5));
  }

  @Test
  void shouldLoseTheConnectionAfterEveryByteOfAMessage() {
    List<Integer> read = new ArrayList<>();
    SimulatedNetwork.everyLoss(
        5,
        NetworkSettings.DEFAULTS,
        network -> {
          ServerSocket server = network.listen(PORT);
          Session<Object> reader =
              network.start("server", () -> countUntilReset(server.accept(), read));
          network.start(
              "client",
              () -> {
                network.connect(PORT).getOutputStream().write(new byte[7]);
                return null;
              });
          network.runFor(LONG);
          assertThat(reader.outcome().value()).isNull();
        });
    assertThat(read).containsExactly(1, 2, 3, 4, 5);
  }

  private static Object countUntilReset(Socket socket, List<Integer> counts) throws IOException {
    int count = 0;
    try {
      while (socket.getInputStream().read() >= 0) {
        count++;
      }
      return "ended";
    } catch (SocketException reset) {
      counts.add(count);
      return null;
    }
  }

  @Test
  void shouldFindAClientThatWaitsWithoutEndInASilentNetwork() {
    AssertionError found =
        catchThrowableOfType(
            AssertionError.class,
            () ->
                tryAll(
                    50,
                    NetworkSettings.DEFAULTS.withSilencePerMille(300),
                    network -> {
                      ServerSocket server = network.listen(PORT);
                      network.start("server", () -> answer(server.accept(), 20));
                      Session<Object> client =
                          network.start("client", () -> ask(network.connect(PORT), 20));
                      network.runFor(LONG);
                      assertThat(client.outcome()).as("the client's end").isNotNull();
                    }));
    assertThat(found).isNotNull().hasMessageContaining("the client's end");
    assertThat(found.getMessage()).contains("SILENCED");
  }

  private static Object answer(Socket socket, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      socket.getOutputStream().write(socket.getInputStream().read());
    }
    return null;
  }

  private static Object ask(Socket socket, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      socket.getOutputStream().write(i);
      assertThat(socket.getInputStream().read()).isEqualTo(i);
    }
    return null;
  }

  @Test
  void shouldFailTheRunWhenASessionEndsWithAnErrorButNotWhenItLosesItsConnection() {
    assertThatThrownBy(
            () ->
                SimulatedNetwork.attempt(
                    1,
                    NetworkSettings.DEFAULTS,
                    network -> {
                      network.start("wrong", () -> List.of().getFirst());
                      network.runFor(LONG);
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("NoSuchElementException")
        .hasMessageContaining("SESSION_FAILED wrong");

    SimulatedNetwork.attempt(
        1,
        NetworkSettings.DEFAULTS,
        network -> {
          network.start(
              "lost",
              () -> {
                throw new SocketTimeoutException();
              });
          network.start("cancelled in the end", () -> network.listen(PORT).accept());
          network.runFor(LONG);
        });
  }

  @Test
  void shouldTellOfTheLastEventsOnlyAndHowManyThereWereBefore() {
    assertThatThrownBy(
            () ->
                SimulatedNetwork.attempt(
                    1,
                    NetworkSettings.DEFAULTS.withMaxTraceEvents(3),
                    network -> {
                      for (int i = 0; i < 10; i++) {
                        network.start("session", () -> null);
                      }
                      network.runFor(LONG);
                      assertThat(network.trace()).hasSize(3);
                      throw new IllegalStateException("of the scenario");
                    }))
        .hasMessageContaining("of the scenario")
        .hasMessageContaining("... 7 events before these");
  }

  @Test
  void shouldTellWhenAConnectionFallsSilentAndThatItsEndWasLost() {
    SimulatedNetwork.attempt(
        1,
        NetworkSettings.DEFAULTS,
        network -> {
          ServerSocket server = network.listen(PORT);
          network.start("server", server::accept);
          network.start(
              "client",
              () -> {
                Socket socket = network.connect(PORT);
                network.sleep(Duration.ofSeconds(1));
                network.silence(socket);
                network.sleep(Duration.ofSeconds(1));
                socket.close();
                return null;
              });
          network.runFor(LONG);
          List<NetworkEvent> lost =
              network.trace().stream().filter(each -> each.kind() == Kind.SILENCED).toList();
          NetworkEvent silent = silent(network);
          assertThat(lost).hasSize(1);
          assertThat(lost.getFirst().where()).isEqualTo("client");
          assertThat(lost.getFirst().timeNs() - silent.timeNs()).isEqualTo(1_000_000_000);
        });
  }

  @Test
  void shouldTellWhenEachConnectionFallsSilentThatDoesSoByChance() {
    int[] silent = {0};
    SimulatedNetwork.explore(
        50,
        NetworkSettings.DEFAULTS.withSilencePerMille(500),
        network -> {
          ServerSocket server = network.listen(PORT);
          network.start("server", server::accept);
          network.start("client", () -> network.connect(PORT));
          network.runFor(LONG);
          if (network.count(Kind.FELL_SILENT) > 0) {
            long limitNs = NetworkSettings.DEFAULTS.faultWithin().toNanos();
            long madeNs = network.trace().getFirst().timeNs();
            assertThat(silent(network).timeNs() - madeNs).isBetween(1L, limitNs);
            assertThat(network.trace()).isSortedAccordingTo(BY_TIME);
            silent[0]++;
          }
        });
    if (!Seeds.isReplay()) {
      assertThat(silent[0]).isBetween(10, 40);
    }
  }

  private static NetworkEvent silent(SimulatedNetwork network) {
    List<NetworkEvent> silent =
        network.trace().stream().filter(each -> each.kind() == Kind.FELL_SILENT).toList();
    assertThat(silent).hasSize(1);
    assertThat(network.count(Kind.FELL_SILENT)).isEqualTo(1);
    return silent.getFirst();
  }

  @Test
  void shouldTellPausesInTheirUnitAndNotAsBytes() {
    SimulatedNetwork.attempt(
        1,
        NetworkSettings.DEFAULTS.withSlowReaderPerMille(1_000),
        network -> {
          ServerSocket server = network.listen(PORT);
          network.start("server", () -> answer(server.accept(), 5));
          network.start("client", () -> ask(network.connect(PORT), 5));
          network.runFor(LONG);
          for (NetworkEvent each : network.trace()) {
            boolean pauses = each.kind() == Kind.READ_PAUSED;
            assertThat(each.pauseNs() > 0).isEqualTo(pauses);
            assertThat(pauses && each.bytes() > 0).isFalse();
          }
          assertThat(network.toString()).containsPattern("READ_PAUSED .* for \\d+\\.\\d+ ms");
        });
  }
}
