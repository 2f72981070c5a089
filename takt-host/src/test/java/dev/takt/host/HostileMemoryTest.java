package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.client.link.Link;
import dev.takt.client.link.LinkException;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that writes what it likes into the memory of its link while the host reads it: the host
 * goes on, others are served, and nothing is left.
 */
@Timeout(1_200)
class HostileMemoryTest {
  private static final int CHANGES = Seeds.size(50_000, 1_000_000);
  private static final long MOMENT_NS = 20_000_000_000L;

  /** Kept, because a logger's level is lost with it. */
  private static final Logger CUT_OFF = Logger.getLogger(LinkConnection.class.getName());

  @TempDir private Path temporary;

  @Test
  void shouldServeOthersWhateverAClientWritesIntoItsMemory() throws Exception {
    CUT_OFF.setLevel(Level.OFF);
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024));
    Path folder = temporary.resolve("host");
    int rounds = 0;
    try (SharedMemoryHost host =
        new SharedMemoryHost(
            space, folder, ClientLimits.DEFAULTS.withMaxTransactionNs(5_000_000))) {
      try (ClientProcess hostile =
              ClientProcess.start(
                  Hostile.class,
                  folder.toString(),
                  String.valueOf(CHANGES),
                  String.valueOf(Seeds.seed()));
          RemoteSpace other = host.connect()) {
        FutureTask<String> end = new FutureTask<>(hostile::line);
        Thread reader = Thread.ofPlatform().start(end);
        while (!end.isDone()) {
          long begin = System.nanoTime();
          other.count(new Event("x", 1));
          assertThat(System.nanoTime() - begin).as("time of a look").isLessThan(MOMENT_NS);
          other.takeAll(new Event(), 64, event -> {}); // some of it are events
          rounds++;
        }
        reader.join();
        System.out.printf(
            "%s; %,d rounds of another client; %s%n",
            end.get(), rounds, Seeds.replay(Seeds.seed()));
        assertThat(end.get())
            .as("%s; it has said: %s", Seeds.replay(Seeds.seed()), hostile.errors())
            .startsWith("changed");
      }
      long begin = System.nanoTime();
      while (host.clients() > 0) {
        assertThat(System.nanoTime() - begin).as("all are forgotten").isLessThan(MOMENT_NS);
      }
      assertThat(space.stats().subscriptions()).isZero();
      assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
    }
    assertThat(rounds).isPositive();
    assertThat(folder).doesNotExist();
  }

  /** Sends good messages and changes the memory beside them; comes again when it is cut off. */
  static final class Hostile {
    private static final long HOST_SLEEPS = 128;
    private static final long CLIENT_SLEEPS = 256;
    private static final long RINGS = 4_096;
    private static final int RING = 128 + (1 << 14);
    private final Random random;
    private int links;
    private int refused;

    private Hostile(long seed) {
      random = new Random(seed);
    }

    public static void main(String[] arguments) throws Exception {
      Hostile hostile = new Hostile(Long.parseLong(arguments[2]));
      int left = Integer.parseInt(arguments[1]);
      while (left > 0) {
        try (RawClient client = new RawClient(Path.of(arguments[0]))) {
          hostile.links++;
          left = hostile.change(client, left);
        } catch (LinkException e) {
          // It comes faster than the host forgets: there are so many links and no more.
          hostile.refused++;
          if (hostile.refused > 100_000) {
            throw e;
          }
          LockSupport.parkNanos(1_000_000);
        }
      }
      System.out.printf(
          "changed %s words on %d links, was refused %d times%n",
          arguments[1], hostile.links, hostile.refused);
    }

    private int change(RawClient client, int changes) throws ReflectiveOperationException {
      MemorySegment memory = memory(client.link);
      int left = changes;
      try {
        client.hello();
        int many = 50 + random.nextInt(2_000);
        for (int i = 0; i < many && left > 0 && !client.link.hasEnded(); i++, left--) {
          if (i % 4 == 0) {
            ask(client, i);
          }
          if (random.nextBoolean()) {
            client.poll();
          }
          change(memory);
        }
      } catch (IOException | IllegalArgumentException e) {
        // it has broken its own side, too
      }
      return left;
    }

    private void ask(RawClient client, int i) throws IOException {
      Operation operation =
          switch (random.nextInt(12)) {
            case 0 -> Operation.BEGIN;
            case 1 -> Operation.SUBSCRIBE;
            case 2 -> Operation.AWAIT_TAKE;
            case 3 -> Operation.READ_ALL;
            case 4 -> Operation.TAKE_ALL;
            case 5 -> Operation.WRITE;
            case 6 -> Operation.COMMIT;
            case 7 -> Operation.UNSUBSCRIBE;
            default -> Operation.TAKE;
          };
      Event content = new Event("x", 1).add("text", "abc".repeat(random.nextInt(200)));
      int transaction = operation == Operation.COMMIT ? 1 : random.nextInt(2);
      client.ask(operation, transaction, i + 1L, random.nextInt(20), content);
    }

    private void change(MemorySegment memory) {
      long at =
          switch (random.nextInt(8)) {
            case 0 -> random.nextBoolean() ? HOST_SLEEPS : CLIENT_SLEEPS;
            case 1 -> RINGS; // how far the host has read
            case 2 -> RINGS + RING; // how far the client has
            case 3, 4 -> RINGS + 128 + 64L * random.nextInt(256); // a header, maybe
            case 5 -> RINGS + 128 + 64L * random.nextInt(256) + 8; // the beginning of a message
            case 6 -> RINGS + 128 + 8L * random.nextInt(2_048);
            default -> 8L * random.nextInt((int) (memory.byteSize() / 8));
          };
      long before = memory.get(ValueLayout.JAVA_LONG, at);
      long value =
          switch (random.nextInt(5)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(-2, 1_100);
            case 2 -> before ^ (1L << random.nextInt(64));
            case 3 -> before + random.nextInt(-64, 65);
            default -> before ^ ((long) random.nextInt(256) << (8 * random.nextInt(8)));
          };
      memory.set(ValueLayout.JAVA_LONG, at, value);
    }

    /** All of the file: what a process of another program would have. */
    private static MemorySegment memory(Link link) throws ReflectiveOperationException {
      Field word = Link.class.getDeclaredField("peerSleep");
      word.setAccessible(true);
      Object sleep = word.get(link);
      Field memory = sleep.getClass().getDeclaredField("memory");
      memory.setAccessible(true);
      return (MemorySegment) memory.get(sleep);
    }
  }
}
