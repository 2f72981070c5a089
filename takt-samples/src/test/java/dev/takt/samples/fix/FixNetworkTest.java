package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.RuntimeSettings;
import dev.takt.session.Session;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.TaskHarness;
import dev.takt.testkit.net.NetworkEvent.Kind;
import dev.takt.testkit.net.NetworkSettings;
import dev.takt.testkit.net.SimulatedNetwork;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of connections, in the time of a simulated network: bytes are delayed and cut
 * anywhere, readers are slow, connections are reset or fall silent, and the peer connects again.
 */
@Timeout(600)
class FixNetworkTest {
  private static final int PORT = 9_878;
  private static final int ORDERS = 6;
  private static final int QUANTITY = 4;
  private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");
  private static final Duration RETRY = Duration.ofSeconds(3);

  /** Longer than any wait of the gateway: for an answer, for a gap, for a Logon. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final NetworkSettings SETTINGS =
      NetworkSettings.HOSTILE
          .withResetPerMille(500)
          .withSilencePerMille(150)
          .withFaultWithin(Duration.ofMillis(150))
          .withWindowBytes(4_096)
          .withMaxTraceEvents(300);

  /** The gateway's connections over a space of the network's time, in place of a journal's. */
  private static final class Acceptor implements AutoCloseable {
    private final SimulatedNetwork network;
    private final EventSpace space;
    private final FixStore store;
    private final FixSettings settings;
    private final TaskHarness filler;
    private final Set<String> loggedOn = FixConnection.noneLoggedOn();
    private int connections;

    Acceptor(SimulatedNetwork network, FixSettings settings) throws IOException {
      this.network = network;
      this.settings = settings;
      space =
          EventSpace.create(
              SpaceSettings.DEFAULTS.withCapacity(4_096).withMaxIndexes(16),
              network.sessions().clock());
      store = new FixStore(space, settings, () -> true);
      filler = TaskHarness.of(new OrderFiller(), space, RuntimeSettings.DEFAULTS);
      Event last = new Event(FixKeys.TYPE, FixKeys.LAST).add(FixKeys.SYMBOL, "ACME");
      space.write(last.add(FixKeys.PRICE, FixText.price("100.25")));
      ServerSocket server = network.listen(PORT);
      network.start("filler", this::fill);
      network.start("acceptor", () -> accept(server));
    }

    private Void fill() throws InterruptedException {
      Event orders = new Event(FixKeys.TYPE, FixKeys.ORDER);
      while (true) {
        if (space.read(orders, LONG) != null) {
          assertThat(filler.release().isCommitted()).isTrue();
          network.sleep(Duration.ofMillis(3));
        }
      }
    }

    private Void accept(ServerSocket server) throws IOException {
      while (true) {
        SocketWire wire = new SocketWire(server.accept());
        network.start("connection", () -> serve(wire));
      }
    }

    private Void serve(SocketWire wire) throws IOException, InterruptedException {
      connections++;
      try {
        new FixConnection(wire, store, settings, network, loggedOn).serve();
      } finally {
        connections--;
      }
      return null;
    }

    @Override
    public void close() {
      filler.close();
    }
  }

  /** Connects again until all is done; returns how often it has connected. */
  private static int converse(SimulatedNetwork network, ModelPeer peer)
      throws IOException, InterruptedException {
    int count = 0;
    boolean done = false;
    while (!done) {
      count++;
      try {
        Socket socket = network.connect(PORT);
        done = peer.converse(socket);
      } catch (SocketTimeoutException | ConnectException lost) {
        // a silent one
      }
      if (!done) {
        network.sleep(RETRY);
      }
    }
    return count;
  }

  /** How often the peers have connected, in all runs. */
  private int connected;

  private long resets;
  private long silences;

  private void scenario(SimulatedNetwork network) throws Exception {
    InstantSource clock = () -> BEGIN.plusNanos(network.nanoTime());
    String version = network.seed() % 2 == 0 ? "FIX.4.2" : "FIX.4.4";
    ModelPeer peer = new ModelPeer(version, ORDERS, QUANTITY, clock);
    try (Acceptor acceptor = new Acceptor(network, settings(clock))) {
      Session<Integer> conversation = network.start("peer", () -> converse(network, peer));
      for (int i = 0; i < 10 && conversation.outcome() == null; i++) {
        network.runFor(LONG);
      }
      assertThat(conversation.outcome()).as("%s", peer).isNotNull();
      assertThat(peer.wrong()).isEmpty();
      assertThat(peer.progress()).hasSize(ORDERS);
      peer.progress()
          .values()
          .forEach(
              each -> {
                assertThat(each.taken).as("%s", peer).isEqualTo(1);
                assertThat(each.filled).as("%s", peer).isEqualTo(QUANTITY);
              });
      network.runFor(LONG);
      assertThat(acceptor.connections).as("connections that go on").isZero();
      assertThat(acceptor.loggedOn).isEmpty();
      connected += conversation.outcome().value();
      resets += network.count(Kind.RESET);
      silences += network.count(Kind.SILENCED);
    }
  }

  private static FixSettings settings(InstantSource clock) {
    FixSettings defaults = FixSettings.DEFAULTS;
    return new FixSettings(
        defaults.compId(),
        1,
        16,
        defaults.maxMessageBytes(),
        defaults.maxFields(),
        defaults.maxGarbledBytes(),
        100,
        100,
        defaults.logonTimeout(),
        defaults.writeTimeout(),
        defaults.maxClockSkew(),
        clock);
  }

  @Test
  void shouldTakeEachOrderOnceAndReportEachFillOnceWhateverTheNetworkDoes() {
    int runs = Seeds.size(60, 20_000);
    SimulatedNetwork.explore(runs, SETTINGS, this::scenario);
    if (!Seeds.isReplay()) {
      assertThat(connected).as("connections of all runs").isGreaterThan(runs + runs / 4);
      assertThat(resets).isGreaterThan(runs / 4);
      assertThat(silences).isGreaterThan(runs / 10);
    }
  }
}
