package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client in a process of its own is killed while it writes: the host sees whole records, then the
 * end.
 */
class LinkKillTest {
  private static final int KILLS = Seeds.size(3, 1_000);
  private static final LinkSettings SETTINGS = LinkSettings.DEFAULTS.withSizes(1 << 14, 4_096);

  @TempDir private Path temporary;

  /** Writes records without end: the number of each in all its words. */
  static final class Client {
    private Client() {}

    public static void main(String[] arguments) throws IOException {
      try (Link link = Link.connect(Path.of(arguments[0]), LinkPair.LONG_NS);
          LinkWaiter waiter = LinkWaiter.open(1_000)) {
        waiter.add(link);
        MemorySegment from = Arena.ofAuto().allocate(4_096, 64);
        for (int number = 0; !link.hasEnded(); number++) {
          int length = length(number);
          for (int at = 0; at < length; at += 4) {
            from.set(ValueLayout.JAVA_INT, at, number);
          }
          while (!link.offer(from, 0, length) && !link.hasEnded()) {
            waiter.await(LinkPair.LONG_NS);
          }
        }
      }
    }
  }

  private static int length(int number) {
    return 4 + 4 * (number * 31 % 1_023);
  }

  @Test
  void shouldSeeWholeRecordsThenTheEndWhenAClientIsKilled() throws Exception {
    Path folder = temporary.resolve("host");
    Random random = new Random(Seeds.seed());
    MemorySegment into = Arena.ofAuto().allocate(4_096, 64);
    try (LinkListener listener = LinkListener.open(folder, SETTINGS);
        LinkWaiter waiter = LinkWaiter.open(0)) {
      for (int kill = 0; kill < KILLS; kill++) {
        Process client = start(folder);
        try (Link link = listener.accept(LinkPair.LONG_NS)) {
          waiter.add(link);
          int records = receive(link, waiter, into, client, random.nextInt(100_000));
          assertThat(records).as(Seeds.replay(Seeds.seed())).isPositive();
          waiter.remove(link);
        } finally {
          client.destroyForcibly().waitFor();
        }
        assertThat(listener.links()).isZero();
        try (Stream<Path> files = Files.list(folder)) {
          assertThat(files)
              .containsExactlyInAnyOrder(LinkFolder.socket(folder), ListenerLock.file(folder));
        }
      }
    }
  }

  /** Returns how many records came; kills the client after some. */
  private static int receive(
      Link link, LinkWaiter waiter, MemorySegment into, Process client, int killAt)
      throws IOException {
    int wrong = 0;
    int number = 0;
    int length = Link.NONE;
    while (length != Link.ENDED) {
      length = link.poll(into);
      if (length == Link.NONE) {
        assertThat(LinkPair.await(waiter)).as("record or end").isTrue();
      } else if (length >= 0) {
        wrong += length == length(number) ? 0 : 1;
        for (int at = 0; at < length; at += 4) {
          wrong += into.get(ValueLayout.JAVA_INT, at) == number ? 0 : 1;
        }
        if (number == killAt) {
          client.destroyForcibly();
        }
        number++;
      }
    }
    assertThat(wrong).as("words that are not as they were sent").isZero();
    assertThat(number).as("killed at %d", killAt).isGreaterThan(killAt);
    return number;
  }

  private static Process start(Path folder) throws IOException, URISyntaxException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            String.join(
                File.pathSeparator,
                List.of(
                    pathOf(Link.class),
                    pathOf(LinkKillTest.class),
                    pathOf(EventSpace.class),
                    pathOf(Seeds.class))),
            Client.class.getName(),
            folder.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String pathOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
