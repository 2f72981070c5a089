package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.host.listen.ListenSettings;
import dev.takt.host.listen.Listeners;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which ends of a quiet connection ask whether the other one is there; Linux tells. */
@Timeout(60)
class KeepAliveTest {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
  private static final long WAIT_NS = 20_000_000_000L;
  private static final String KEEP_ALIVE = "02";

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));

  /** Returns whether such an end has a timer of keep-alive; null: there is no such end. */
  private static Boolean asks(int localPort, int remotePort) throws IOException {
    String local = ":%04X".formatted(localPort);
    String remote = ":%04X".formatted(remotePort);
    for (Path table : TABLES) {
      if (Files.exists(table)) {
        for (String line : Files.readAllLines(table)) {
          String[] columns = line.strip().toUpperCase(Locale.ROOT).split(" +");
          if (columns[1].endsWith(local) && columns[2].endsWith(remote)) {
            return columns[5].startsWith(KEEP_ALIVE);
          }
        }
      }
    }
    return null;
  }

  /** Waits for the server's end: the timer runs when nothing is under way any more. */
  private static void awaitAsked(int localPort, int remotePort) throws IOException {
    long begin = System.nanoTime();
    while (!Boolean.TRUE.equals(asks(localPort, remotePort))) {
      assertThat(System.nanoTime() - begin).as("without a timer").isLessThan(WAIT_NS);
    }
  }

  @Test
  void shouldAskAtTheHostsEndOfEachListener() throws IOException {
    assumeTrue(Files.exists(TABLES.getFirst()), "needs Linux, with /proc/self/net/tcp");
    List<URI> all = new ArrayList<>();
    for (String scheme : List.of("tcp", "lines", "ws")) {
      all.add(URI.create(scheme + "://localhost:0"));
    }
    try (Listeners listeners = Listeners.open(space, ListenSettings.at(all))) {
      for (URI each : listeners.addresses()) {
        try (Socket client = new Socket(each.getHost(), each.getPort())) {
          awaitAsked(each.getPort(), client.getLocalPort());
          assertThat(asks(client.getLocalPort(), each.getPort()))
              .as("of a socket that nobody has asked to")
              .isFalse();
        }
      }
    }
  }

  @Test
  void shouldAskAtTheClientsEnd() throws IOException {
    assumeTrue(Files.exists(TABLES.getFirst()), "needs Linux, with /proc/self/net/tcp");
    ListenSettings settings = ListenSettings.at(List.of(URI.create("tcp://localhost:0")));
    try (Listeners listeners = Listeners.open(space, settings)) {
      int port = listeners.addresses().getFirst().getPort();
      URI address = URI.create("tcp://localhost:" + port);
      try (RemoteSpace _ = Takt.connect(address, "", ClientSettings.DEFAULTS)) {
        String local = remoteOf(port);
        awaitAsked(Integer.parseInt(local, 16), port);
      }
    }
  }

  /** Returns the port of the one client of a server. */
  private static String remoteOf(int port) throws IOException {
    String local = ":%04X".formatted(port);
    for (Path table : TABLES) {
      if (Files.exists(table)) {
        for (String line : Files.readAllLines(table)) {
          String[] columns = line.strip().toUpperCase(Locale.ROOT).split(" +");
          if (columns[1].endsWith(local) && "01".equals(columns[3])) {
            return columns[2].substring(columns[2].indexOf(':') + 1);
          }
        }
      }
    }
    throw new AssertionError("no client at " + port);
  }
}
