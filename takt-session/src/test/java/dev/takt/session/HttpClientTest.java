package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The JDK's blocking HTTP client, as it is, in sessions. */
class HttpClientTest {
  private static final int COUNT = 1_000;

  @Test
  void shouldServeAThousandRequestsThatAllWaitAtTheSameTime() throws Exception {
    LinkedBlockingQueue<HttpExchange> requests = new LinkedBlockingQueue<>();
    InetAddress here = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), COUNT);
    server.createContext("/", requests::add); // on the server's own thread
    server.start();
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TwoCarriers carriers = new TwoCarriers()) {
      URI uri =
          new URI(
              "http", null, here.getHostAddress(), server.getAddress().getPort(), "/", null, null);
      List<Session<String>> clients = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        String body = "question " + i;
        clients.add(sessions.start("client " + i, () -> post(uri, body, carriers)));
      }
      List<HttpExchange> waiting = new ArrayList<>();
      while (waiting.size() < COUNT) {
        waiting.add(requests.take());
      }
      assertThat(clients).noneMatch(each -> each.outcome() != null);
      waiting.reversed().forEach(HttpClientTest::answer);
      for (int i = 0; i < COUNT; i++) {
        assertThat(clients.get(i).await().value()).isEqualTo("answer to question " + i);
      }
      carriers.check();
    } finally {
      server.stop(0);
    }
  }

  private static String post(URI uri, String body, TwoCarriers carriers) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    try {
      connection.setDoOutput(true);
      connection.setRequestProperty("Connection", "close");
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body.getBytes(StandardCharsets.UTF_8));
      }
      assertThat(connection.getResponseCode()).isEqualTo(200);
      carriers.look();
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } finally {
      connection.disconnect();
    }
  }

  private static void answer(HttpExchange request) {
    try (request) {
      String question = new String(request.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      byte[] answer = ("answer to " + question).getBytes(StandardCharsets.UTF_8);
      request.sendResponseHeaders(200, answer.length);
      request.getResponseBody().write(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
