package dev.takt.host.text;

import dev.takt.host.ClientLimits;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A host that speaks lines on a port of this machine. */
final class LineHost implements AutoCloseable {
  final LineServer lines;
  private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
  private final TransportServer server;
  private final TransportSettings settings;

  LineHost(EventSpace space, ClientLimits limits) throws IOException {
    lines = LineServer.start(space, limits, sessions);
    settings =
        lines.settings(
            TransportSettings.DEFAULTS
                .withIdleTimeout(Duration.ZERO)
                .withReadTimeout(Duration.ZERO));
    server =
        TransportServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            null,
            settings,
            sessions,
            lines);
  }

  InetSocketAddress address() {
    return server.address();
  }

  Transport connect() throws IOException {
    return SocketTransport.connect(address(), settings);
  }

  @Override
  public void close() {
    server.close();
    sessions.close();
  }
}
