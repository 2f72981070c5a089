package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * However the connections of a server come and go, no file, key or thread of them is left. A file
 * is closed only when its key has gone, so that counts both.
 */
class PollerLeaksTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int COUNT = Seeds.size(1_000, 100_000);
  private static final int AT_ONCE = 100;
  private static final byte[] TEXT = "a line\nhalf a li".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  @Test
  @Timeout(600)
  void shouldLeaveNothingOfConnectionsThatOpenAndCloseAtRandom() throws Exception {
    run(AT_ONCE); // so that files of the JDK itself are there
    long files = openFiles();
    String address = run(COUNT);

    while (openFiles() > files || threads(address) > 0) { // a poller has yet to see the end
      assertThat(Thread.interrupted()).as("after the timeout of the test").isFalse();
    }
  }

  /** Returns the address of the server, which is in the names of its threads. */
  private static String run(int count) throws Exception {
    Random random = new Random(Seeds.seed());
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        Sessions clients = Sessions.open(SessionSettings.DEFAULTS)) {
      TransportServer server =
          TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run);
      for (int left = count; left > 0; left -= AT_ONCE) {
        List<Session<Integer>> running = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          Random own = new Random(random.nextLong());
          running.add(clients.start("client", () -> useOnce(server.address(), own)));
        }
        for (Session<?> each : sessions.running()) {
          if (each.name().startsWith("connection") && random.nextInt(8) == 0) {
            each.cancel();
          }
        }
        for (Session<Integer> each : running) {
          each.await();
        }
      }
      server.close();
      assertThat(sessions.drain(Duration.ofSeconds(60))).isEmpty();
      assertThat(server.accepted()).isEqualTo(count);
      assertThat(clients.stats().failed()).isZero();
      return server.address().toString();
    }
  }

  /** Sends a part of a text, reads a part of the answer, and goes in one of three ways. */
  private static int useOnce(InetSocketAddress server, Random random) throws IOException {
    int read = 0;
    try (Socket client = new Socket(server.getAddress(), server.getPort())) {
      try {
        client.setSoLinger(true, 0); // the port is free at once
        for (int i = random.nextInt(4); i > 0; i--) {
          client.getOutputStream().write(TEXT, 0, random.nextInt(TEXT.length + 1));
        }
        if (random.nextInt(3) == 0) {
          client.shutdownOutput();
          read += client.getInputStream().readAllBytes().length;
        }
        if (random.nextInt(3) == 0) {
          Thread.yield();
        }
      } catch (IOException cancelled) {
        // its session at the server was
      }
    }
    return read;
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private long threads(String name) throws IOException {
    Path dump = Files.createTempFile(folder, "threads", "");
    Files.delete(dump); // is to be made by the dump
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
    try (Stream<String> lines = Files.lines(dump)) {
      return lines.filter(line -> line.contains(name)).count();
    } finally {
      Files.delete(dump);
    }
  }
}
