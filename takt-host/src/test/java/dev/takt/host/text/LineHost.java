package dev.takt.host.text;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** A host that speaks lines on a port of this machine. */
final class LineHost implements AutoCloseable {
  static final TransportSettings CLIENT =
      TransportSettings.DEFAULTS
          .withMaxLineBytes(1 << 20)
          .withIdleTimeout(Duration.ZERO)
          .withReadTimeout(Duration.ZERO);

  final TextServer server;

  LineHost(EventSpace space, ClientLimits limits) throws IOException {
    this(space, ClientAccounts.open(ClientRights.all("all", limits)));
  }

  LineHost(EventSpace space, ClientAccounts accounts) throws IOException {
    this(space, accounts, null);
  }

  LineHost(EventSpace space, ClientAccounts accounts, SSLContext tls) throws IOException {
    server =
        TextServer.openLines(
            space,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            tls,
            accounts,
            TcpLimits.DEFAULTS);
  }

  InetSocketAddress address() {
    return server.address();
  }

  Transport connect() throws IOException {
    return SocketTransport.connect(address(), CLIENT);
  }

  @Override
  public void close() {
    server.close();
  }
}
