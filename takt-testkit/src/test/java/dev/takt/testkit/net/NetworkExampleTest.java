package dev.takt.testkit.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.takt.session.Session;
import dev.takt.session.SessionOutcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows. */
class NetworkExampleTest {
  /** The code under test: it knows nothing of sessions, nor of the test. */
  static String greet(Socket socket, String name) throws IOException {
    try (socket) {
      socket.setSoTimeout(30_000);
      Writer out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
      out.write(name + "\n");
      out.flush();
      return reader(socket).readLine();
    }
  }

  static Object serve(ServerSocket server) throws IOException {
    try (Socket socket = server.accept()) {
      socket.setSoTimeout(30_000);
      String name = reader(socket).readLine();
      socket.getOutputStream().write(("hello " + name + "\n").getBytes(StandardCharsets.UTF_8));
      return null;
    }
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void shouldBeGreetedOrLearnThatTheConnectionIsLost() {
    SimulatedNetwork.explore(
        1_000,
        NetworkSettings.HOSTILE.withFaultWithin(Duration.ofMillis(20)),
        network -> {
          ServerSocket server = network.listen(4_000);
          network.start("server", () -> serve(server));
          Session<String> client =
              network.start("client", () -> greet(network.connect(4_000), "Ann"));

          network.runFor(Duration.ofMinutes(2));

          assertNotNull(client.outcome(), "the client waits for ever");
          if (client.outcome() instanceof SessionOutcome.Completed<String>(String greeting)
              && greeting != null) {
            assertEquals("hello Ann", greeting);
          }
        });
  }
}
