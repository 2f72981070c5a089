package dev.takt.samples.fix;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A client on a plain socket that sends what it is told to, right or wrong. */
final class RawPeer implements AutoCloseable {
  static final long WAIT_NS = 60_000_000_000L;

  private final Socket socket;
  private final SocketWire wire;
  private final FixParser parser = new FixParser(FixSettings.DEFAULTS.withMessages(65_536, 256, 0));
  final String version;
  final String name;
  long next = 1;

  RawPeer(String version, String name, InetSocketAddress address) throws IOException {
    this.version = version;
    this.name = name;
    socket = new Socket();
    socket.setReceiveBufferSize(8_192);
    socket.connect(address);
    wire = new SocketWire(socket);
  }

  /** Returns a message, whose fields behind the header are separated by '|'. */
  byte[] message(String type, long seq, String body, String... header) {
    StringBuilder fields = new StringBuilder();
    fields.append("35=" + type + "|49=" + name + "|56=TAKT|34=" + seq + "|");
    for (String each : header) {
      fields.append(each).append('|');
    }
    fields.append("52=" + FixText.time(Instant.now()) + "|").append(body);
    if (!body.isEmpty()) {
      fields.append('|');
    }
    return FixText.message(version, fields.toString().replace('|', '\001'));
  }

  void send(byte[] bytes) throws IOException {
    wire.write(bytes);
  }

  void send(String type, String body, String... header) throws IOException {
    send(message(type, next++, body, header));
  }

  void logOn() throws IOException {
    send("A", "98=0|108=30");
    expect("35=A");
  }

  void order(String clientId, int quantity) throws IOException {
    send("D", orderBody(clientId, quantity));
  }

  static String orderBody(String clientId, int quantity) {
    return "11=%s|21=1|55=ACME|54=1|38=%d|40=1|60=20261127-12:00:00".formatted(clientId, quantity);
  }

  /** Returns the next message, or null if the connection has ended. */
  FixMessage read() throws IOException {
    long endNs = System.nanoTime() + WAIT_NS;
    while (true) {
      FixMessage message = parser.next();
      if (message != null) {
        return message;
      }
      if (System.nanoTime() > endNs) {
        throw new AssertionError("no message within 60 s");
      }
      try {
        if (parser.fill(wire, 1_000_000_000) == FixWire.END) {
          return null;
        }
      } catch (SocketException reset) {
        return null;
      }
    }
  }

  /** Reads a message that has to have these fields; returns it. */
  FixMessage expect(String... fields) throws IOException {
    FixMessage message = read();
    String text = String.valueOf(message);
    for (String each : fields) {
      if (!text.contains("|" + each + "|")) {
        throw new AssertionError("expected " + String.join(" ", fields) + ", was: " + text);
      }
    }
    return message;
  }

  /** Nothing but the end follows. */
  void expectEnd() throws IOException {
    FixMessage message = read();
    if (message != null) {
      throw new AssertionError("expected the end, was: " + message);
    }
  }

  /** Returns the values of a field in the next messages. */
  List<String> values(int tag, int count) throws IOException {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(String.valueOf(expect().text(tag)));
    }
    return values;
  }

  void endOutput() throws IOException {
    wire.endOutput();
  }

  @Override
  public void close() {
    wire.close();
  }
}
