package dev.takt.stress.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.link.LinkSettings;
import dev.takt.host.ClientLimits;
import dev.takt.host.LinkServer;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.SerialChecker;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What four client processes do at once to the space of a host is strictly serializable: nothing is
 * lost, and nothing is there twice.
 */
@Timeout(3_600)
class RemoteHistoryTest {
  private static final int PROCESSES = 4;

  /** A new process may have to wait for a processor, between any two steps of its introduction. */
  static final long HELLO_NS = 60_000_000_000L;

  private static final Pattern ALL = new Pattern(History.ANY, History.ANY);

  @TempDir private Path temporary;
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024));
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  private record Client(Process process, BufferedReader in, BufferedWriter out) {
    static Client start(Path folder, int thread) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xshare:auto",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  RemoteLoad.class.getName(),
                  folder.toString(),
                  String.valueOf(thread))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new Client(
          process,
          process.inputReader(StandardCharsets.UTF_8),
          process.outputWriter(StandardCharsets.UTF_8));
    }

    void run(long seed) throws IOException {
      out.write(seed + "\n");
      out.flush();
    }

    void collect(List<Unit> units) throws IOException {
      String line = in.readLine();
      while (!RemoteLoad.END.equals(line)) {
        assertThat(line).as("what a process says").isNotNull();
        units.add(RemoteLoad.read(line));
        line = in.readLine();
      }
    }
  }

  private void serve(LinkServer server) {
    try (server) {
      while (!isOver.get()) {
        if (!server.serve(64)) {
          server.await(1_000_000);
        }
      }
    } catch (Throwable thrown) {
      failure.set(thrown);
    }
  }

  @Test
  void shouldFindASerialOrderForHistoriesOfFourProcesses() throws Exception {
    Path folder = temporary.resolve("host");
    // No time limit: on a busy machine all would be aborted.
    ClientLimits limits =
        ClientLimits.DEFAULTS
            .withMaxTransactionNs(60_000_000_000L)
            .withMaxPriority(RemoteLoad.PRIORITIES - 1);
    LinkSettings links = LinkSettings.DEFAULTS.withHelloNs(HELLO_NS);
    LinkServer server = LinkServer.open(space, folder, links, limits, 10_000);
    Thread host = Thread.ofPlatform().name("host").start(() -> serve(server));
    List<Client> clients = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        clients.add(Client.start(folder, i));
      }
      for (Client client : clients) {
        client.collect(new ArrayList<>());
      }
      runAll(clients);
    } finally {
      for (Client client : clients) {
        client.process.destroyForcibly().waitFor();
      }
      isOver.set(true);
      host.join();
    }
    assertThat(failure.get()).as("what the host has failed with").isNull();
    assertThat(space.stats().events()).isZero();
  }

  private void runAll(List<Client> clients) throws IOException {
    int count = Seeds.isReplay() ? 1 : Seeds.size(100, 5_000);
    long aborted = 0;
    long overlapping = 0;
    for (long seed = Seeds.seed(); seed < Seeds.seed() + count; seed++) {
      List<Unit> history = new ArrayList<>();
      history.add(fill(new SplittableRandom(seed)));
      for (Client client : clients) {
        client.run(seed);
      }
      for (Client client : clients) {
        client.collect(history);
      }
      history.add(drain());
      assertThat(SerialChecker.violation(history)).as(Seeds.replay(seed)).isNull();
      aborted += history.stream().filter(unit -> unit.outcome() == Outcome.ABORTED).count();
      overlapping += overlapping(history);
    }
    System.out.printf(
        "4 processes: %,d histories, %,d pairs at once, %,d attempts lost or given up; from %s%n",
        count, overlapping, aborted, Seeds.replay(Seeds.seed()));
    assertThat(overlapping).as("transactions of two processes at once").isPositive();
  }

  private static long overlapping(List<Unit> history) {
    long pairs = 0;
    for (Unit one : history) {
      for (Unit other : history) {
        boolean isAtOnce = one.begin() <= other.end() && other.begin() <= one.end();
        pairs += one.thread() < other.thread() && isAtOnce ? 1 : 0;
      }
    }
    return pairs;
  }

  private Unit fill(SplittableRandom random) {
    List<Op> ops = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      Fact fact = RemoteLoad.randomFact(random);
      space.write(RemoteLoad.event(fact));
      ops.add(new Op(Kind.WRITE, null, fact));
    }
    return new Unit(-1, Long.MIN_VALUE, Long.MIN_VALUE, Outcome.COMMITTED, ops);
  }

  /** Takes what is left, which is to be what the serial order leaves. */
  private Unit drain() {
    List<Op> ops = new ArrayList<>();
    long now = System.nanoTime();
    Event event = new Event();
    while (space.take(new Event("key", null).add("id", (Object) null), event)) {
      ops.add(new Op(Kind.TAKE, ALL, RemoteLoad.fact(event)));
    }
    ops.add(new Op(Kind.TAKE, ALL, null));
    return new Unit(-2, now, now, Outcome.COMMITTED, ops);
  }
}
