package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.ClientSettings;
import dev.takt.client.LinkSource;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of clients whose links are cut again and again, at random bytes or messages:
 * each write is there once, nothing is lost, nothing is there twice.
 */
@Timeout(3_600)
class ReconnectHistoryTest {
  private static final int CLIENTS = 3;
  private static final int CALLERS = 2;
  private static final int STEPS = Seeds.size(150, 10_000);
  private static final int TOKENS = 4;
  private static final int MOST_BYTES = 4_000;
  private static final int MOST_MESSAGES = 60;
  private static final Event TOKEN = new Event("token", null).add("moves", null);

  /** However busy the machine is. */
  private static final ClientSettings SETTINGS =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 20_000_000_000L, 60_000_000_000L);

  private static final ClientLimits LIMITS =
      ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L);

  @TempDir private Path folder;
  private final Random random = new Random(Seeds.seed());
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(CLIENTS * CALLERS * STEPS + 1_024));
  private final AtomicInteger connected = new AtomicInteger();
  private final List<RemoteSpace> clients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (RemoteSpace each : clients) {
      each.close();
    }
  }

  /** What one caller has done; it counts only what it knows. */
  private static final class Caller {
    final int id;
    final Random random;
    int written;
    int moves;
    final List<Long> taken = new ArrayList<>();

    Caller(int id, long seed) {
      this.id = id;
      random = new Random(seed);
    }

    Caller run(Space on, boolean isTaking) throws InterruptedException {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(isTaking ? 5 : 4)) {
          case 0 -> on.write(new Event("by", id).add("write", written++));
          case 1 -> {
            on.transact(
                0,
                transaction -> {
                  transaction.write(new Event("by", id).add("write", written));
                  return transaction.test(TOKEN);
                });
            written++;
          }
          case 2 -> moves += move(on);
          case 3 -> assertThat(on.count(new Event("by", id).add("write", null))).isEqualTo(written);
          default -> {
            on.write(new Event("job", id).add("number", step));
            Event job = on.take(new Event("job", id).add("number", null), Duration.ofSeconds(60));
            assertThat(job).as("job of caller %s", id).isNotNull();
            taken.add(job.getLong("number"));
          }
        }
      }
      return this;
    }

    private static int move(Space on) {
      Event token = new Event();
      return on.transact(
          0,
          transaction -> {
            if (!transaction.take(TOKEN, token)) {
              return 0;
            }
            transaction.write(
                new Event("token", token.getLong("token"))
                    .add("moves", token.getLong("moves") + 1));
            return 1;
          });
    }
  }

  private void run(LinkSourceOf links, boolean isTaking) throws Exception {
    for (int i = 0; i < TOKENS; i++) {
      space.write(new Event("token", i).add("moves", 0));
    }
    List<FutureTask<Caller>> callers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      RemoteSpace client = links.connect(new UUID(7, i));
      clients.add(client);
      for (int j = 0; j < CALLERS; j++) {
        Caller caller = new Caller(i * CALLERS + j, random.nextLong());
        callers.add(new FutureTask<>(() -> caller.run(client, isTaking)));
        threads.add(Thread.ofPlatform().start(callers.getLast()));
      }
    }
    int written = 0;
    int moves = 0;
    for (FutureTask<Caller> each : callers) {
      Caller caller = each.get(3_000, TimeUnit.SECONDS);
      requireEachWriteOnce(caller);
      written += caller.written;
      moves += caller.moves;
      assertThat(caller.taken).as("taken once").doesNotHaveDuplicates();
    }
    for (Thread each : threads) {
      each.join();
    }
    int moved = 0;
    for (int i = 0; i < TOKENS; i++) {
      Event token = new Event();
      assertThat(space.take(new Event("token", i).add("moves", null), token)).isTrue();
      moved += (int) token.getLong("moves");
    }
    assertThat(moved).as("moves, %s", Seeds.replay(Seeds.seed())).isEqualTo(moves);
    assertThat(space.count(new Event()))
        .as("what is left, %s", Seeds.replay(Seeds.seed()))
        .isEqualTo(written);
  }

  private void requireEachWriteOnce(Caller caller) {
    int[] times = new int[caller.written];
    space.forEach(
        new Event("by", caller.id).add("write", null),
        event -> times[(int) event.getLong("write")]++);
    assertThat(Arrays.stream(times).allMatch(each -> each == 1))
        .as(
            "each write of caller %s once: %s, %s",
            caller.id, Arrays.toString(times), Seeds.replay(Seeds.seed()))
        .isTrue();
  }

  /** Connects a client. */
  private interface LinkSourceOf {
    RemoteSpace connect(UUID client) throws IOException;
  }

  private void runByTcp(SSLContext tls) throws Exception {
    InetSocketAddress any = new InetSocketAddress("localhost", 0);
    ClientAccounts accounts = ClientAccounts.open(ClientRights.all("all", LIMITS));
    try (TcpServer server = TcpServer.open(space, any, tls, accounts, TcpLimits.DEFAULTS)) {
      int mostBytes = tls == null ? MOST_BYTES : 4 * MOST_BYTES; // shaking hands takes some
      try (CutProxy proxy = new CutProxy(server.address(), mostBytes, random)) {
        // A first connection that ends before TLS is agreed upon is not renewed but here.
        run(client -> firstByTcp(proxy, tls), false);
        System.out.printf(
            "%s by proxy: %s cuts; %s%n",
            tls == null ? "TCP" : "TLS", proxy.cuts(), Seeds.replay(Seeds.seed()));
        assertThat(proxy.cuts()).isGreaterThan(20);
        close();
      }
    }
  }

  private static RemoteSpace firstByTcp(CutProxy proxy, SSLContext tls) throws IOException {
    IOException last = null;
    for (int i = 0; i < 100; i++) {
      try {
        return Takt.connect(proxy.address(), tls, "", SETTINGS);
      } catch (IOException e) {
        last = e;
      }
    }
    throw new IOException("100 connections were cut", last);
  }

  @Test
  void shouldDoEachThingOnceWhenTcpIsCutAtRandomBytes() throws Exception {
    runByTcp(null);
  }

  @Test
  void shouldDoEachThingOnceWhenTlsIsCutAtRandomBytes() throws Exception {
    runByTcp(TlsSpaceContractTest.context(folder));
  }

  @Test
  void shouldDoEachThingOnceWhenSharedMemoryIsCutAtRandomMessages() throws Exception {
    Path host = folder.resolve("host");
    try (SharedMemoryHost server = new SharedMemoryHost(space, host, LIMITS)) {
      LinkSource whole = Takt.links(host, SETTINGS);
      run(client -> RemoteSpace.connect(cutting(whole), client, "", SETTINGS, Thread::new), true);
      System.out.printf("shared memory: %s links; %s%n", connected, Seeds.replay(Seeds.seed()));
      assertThat(connected.get()).isGreaterThan(20);
      close();
      assertThat(server.clients()).isLessThanOrEqualTo(CLIENTS);
    }
  }

  private LinkSource cutting(LinkSource whole) {
    Random own = new Random(random.nextLong());
    return timeoutNs -> {
      connected.incrementAndGet();
      return new CutLink(
          whole.connect(timeoutNs), 2 + own.nextInt(MOST_MESSAGES), own.nextBoolean());
    };
  }
}
