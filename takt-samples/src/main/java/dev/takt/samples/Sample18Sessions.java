package dev.takt.samples;

import dev.takt.session.Session;
import dev.takt.session.SessionOutcome;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A server of plain blocking code, many connections at once, and none of them keeps a thread.
 *
 * <p>Each connection is one method that reads a line, waits for an event, and writes a line. While
 * it waits it is suspended, whatever it waits for. 200 clients ask for prices that are not there
 * yet; then the prices come. A session that waits in vain is cancelled at the end.
 *
 * <p>You will see:
 *
 * <pre>
 * 200 clients wait
 * stock-0 costs 100
 * stock-199 costs 299
 * each has its price: true
 * the last one was cancelled: true
 * </pre>
 */
public final class Sample18Sessions {
  private static final int CLIENTS = 200;
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private Sample18Sessions() {}

  /** Serves one connection: as protocol code reads when it may wait. */
  private static void serve(Transport client, EventSpace prices)
      throws IOException, InterruptedException {
    for (String stock = client.readLine(); stock != null; stock = client.readLine()) {
      prices.write(new Event("asked", stock));
      Event price = prices.take(new Event("stock", stock).add("price", null), A_MINUTE);
      client.writeLine(price == null ? "no price" : "costs " + price.getLong("price"));
    }
  }

  private static String ask(InetSocketAddress server, String stock) throws IOException {
    try (Transport connection = SocketTransport.connect(server, TransportSettings.DEFAULTS)) {
      connection.writeLine(stock);
      return stock + " " + connection.readLine();
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) throws Exception {
    EventSpace prices = EventSpace.create();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TransportServer server =
            TransportServer.open(
                anyPort,
                null, // no TLS
                TransportSettings.DEFAULTS,
                sessions,
                client -> serve(client, prices))) {
      List<Session<String>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String stock = "stock-" + i;
        clients.add(sessions.start("client " + i, () -> ask(server.address(), stock)));
      }
      for (int i = 0; i < CLIENTS; i++) {
        prices.take(new Event("asked", null), A_MINUTE);
      }
      IO.println(CLIENTS + " clients wait");
      for (int i = 0; i < CLIENTS; i++) {
        prices.write(new Event("stock", "stock-" + i).add("price", 100 + i));
      }
      IO.println(clients.getFirst().await().value());
      IO.println(clients.getLast().await().value());
      boolean all = true;
      for (int i = 0; i < CLIENTS; i++) {
        all &= clients.get(i).await().value().equals("stock-" + i + " costs " + (100 + i));
      }
      IO.println("each has its price: " + all);

      Session<Event> vain =
          sessions.start("vain", () -> prices.take(new Event("never", null), A_MINUTE));
      vain.cancel();
      IO.println(
          "the last one was cancelled: " + (vain.await() instanceof SessionOutcome.Cancelled));
    }
  }
}
