package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.ClientSettings;
import dev.takt.client.LinkEndedException;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host that keeps its events is killed at random moments, and started again: clients connect
 * again by themselves, and each commit that was acknowledged is there, once.
 */
@Timeout(3_600)
class HostKillTest {
  private static final int KILLS = Seeds.size(3, 100);
  private static final int CLIENTS = 3;
  private static final int LONGEST_NS = 300_000_000;
  private static final int TOKENS = 2;
  private static final Event TOKEN = new Event("token", null).add("moves", null);

  @TempDir private Path temporary;
  private final Random random = new Random(Seeds.seed());
  private volatile boolean isOver;

  /** A host in a process of its own. */
  static final class Host {
    public static void main(String[] arguments) throws Exception {
      ThreadFactory threads = Thread.ofPlatform().factory();
      HostSettings settings =
          HostSettings.of(Path.of(arguments[0])).withData(Path.of(arguments[1]));
      try (CpuManager manager = CpuManager.start(ManagerSettings.defaults());
          HostProcess host = HostProcess.open(settings, manager, threads)) {
        host.start();
        System.out.println("ready");
        while (host.failure() == null) {
          LockSupport.parkNanos(100_000_000);
        }
      }
    }
  }

  private ClientProcess start() throws Exception {
    ClientProcess host =
        ClientProcess.start(Host.class, folder().toString(), temporary.resolve("data").toString());
    String line = host.line();
    while (line != null && !line.equals("ready")) {
      line = host.line();
    }
    assertThat(line).as("the host has started").isNotNull();
    return host;
  }

  private Path folder() {
    return temporary.resolve("links").resolve("host");
  }

  private RemoteSpace connect() throws Exception {
    return Takt.connect(folder(), ClientSettings.DEFAULTS.withReconnectNs(120_000_000_000L));
  }

  /** What one client knows of its commits. */
  private final class Client {
    final int id;
    final List<Integer> acknowledged = new ArrayList<>();
    final List<Integer> unknown = new ArrayList<>();
    int moves;
    int perhapsMoves;
    private final RemoteSpace connected;
    private int number;

    /** Connects at once: the time for the first link is shorter than that to connect again. */
    Client(int id) throws Exception {
      this.id = id;
      connected = connect();
    }

    Client run() throws Exception {
      try (RemoteSpace space = connected) {
        while (!isOver) {
          number++;
          boolean isMove = number % 2 == 0;
          try {
            if (isMove) {
              moves += move(space);
            } else {
              space.write(new Event("by", id).add("commit", number));
            }
            acknowledged.add(number);
          } catch (LinkEndedException ended) {
            assertThat(ended.isUnknown()).as("%s", ended).isTrue();
            unknown.add(number);
            perhapsMoves += isMove ? 1 : 0;
          }
        }
      }
      return this;
    }

    /** Moves a token, and writes that it has. */
    private int move(RemoteSpace space) {
      return space.transact(
          0,
          transaction -> {
            Event token = new Event();
            int moved = transaction.take(TOKEN, token) ? 1 : 0;
            if (moved == 1) {
              transaction.write(
                  new Event("token", token.getLong("token"))
                      .add("moves", token.getLong("moves") + 1));
            }
            transaction.write(new Event("by", id).add("commit", number));
            return moved;
          });
    }
  }

  @Test
  void shouldHaveEachAcknowledgedCommitOnceAfterEachKill() throws Exception {
    ClientProcess host = start();
    List<FutureTask<Client>> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    List<Client> done = new ArrayList<>();
    try {
      try (RemoteSpace space = connect()) {
        for (int i = 0; i < TOKENS; i++) {
          space.write(new Event("token", i).add("moves", 0));
        }
      }
      for (int i = 0; i < CLIENTS; i++) {
        Client client = new Client(i);
        clients.add(new FutureTask<>(client::run));
        threads.add(Thread.ofPlatform().start(clients.getLast()));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        LockSupport.parkNanos(random.nextInt(LONGEST_NS));
        host.kill();
        host.close();
        host = start();
      }
      isOver = true;
      for (FutureTask<Client> each : clients) {
        done.add(each.get(120, TimeUnit.SECONDS));
      }
      try (RemoteSpace space = connect()) {
        requireAll(space, done);
      }
    } finally {
      isOver = true;
      host.close();
      for (Thread each : threads) {
        each.join();
      }
    }
  }

  private static void requireAll(RemoteSpace space, List<Client> clients) {
    int acknowledged = 0;
    int unknown = 0;
    int moves = 0;
    int perhapsMoves = 0;
    for (Client client : clients) {
      Map<Integer, Integer> times = new HashMap<>();
      space.forEach(
          new Event("by", client.id).add("commit", null),
          event -> times.merge((int) event.getLong("commit"), 1, Integer::sum));
      for (int commit : client.acknowledged) {
        assertThat(times.remove(commit))
            .as("acknowledged commit %s, %s", commit, Seeds.replay(Seeds.seed()))
            .isEqualTo(1);
      }
      times.forEach((commit, count) -> assertThat(count).as("commit %s", commit).isEqualTo(1));
      assertThat(client.unknown).as("what is there without a word").containsAll(times.keySet());
      acknowledged += client.acknowledged.size();
      unknown += client.unknown.size();
      moves += client.moves;
      perhapsMoves += client.perhapsMoves;
    }
    long moved = 0;
    for (int i = 0; i < TOKENS; i++) {
      Event token = new Event();
      assertThat(space.take(new Event("token", i).add("moves", null), token)).isTrue();
      moved += token.getLong("moves");
    }
    assertThat(moved)
        .as("moves, %s", Seeds.replay(Seeds.seed()))
        .isBetween((long) moves, (long) moves + perhapsMoves);
    assertThat(space.count(TOKEN)).isZero();
    assertThat(unknown)
        .as("one for each client and kill at most")
        .isLessThanOrEqualTo(KILLS * CLIENTS);
    System.out.printf(
        "%s kills of the host: %s commits acknowledged, %s not known; %s%n",
        KILLS, acknowledged, unknown, Seeds.replay(Seeds.seed()));
    assertThat(acknowledged).isGreaterThan(KILLS);
  }
}
