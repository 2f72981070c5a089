package dev.takt.host.text;

import dev.takt.client.RemoteSpace;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientRights;
import dev.takt.host.ProcessSpaceContract;
import dev.takt.host.TcpLimits;
import dev.takt.session.SocketTransport;
import java.io.IOException;
import java.net.InetSocketAddress;

/** By lines. */
class LineProcessContractTest extends ProcessSpaceContract {
  /** The host. */
  static final class Host {
    public static void main(String[] arguments) throws IOException {
      serve(
          space ->
              served(
                  TextServer.openLines(
                      space,
                      new InetSocketAddress("localhost", 0),
                      null,
                      ClientAccounts.open(ClientRights.all("all", LIMITS)),
                      TcpLimits.DEFAULTS)));
    }
  }

  @Override
  protected Class<?> host() {
    return Host.class;
  }

  @Override
  protected RemoteSpace connect(String place) throws IOException {
    return RemoteSpace.connect(
        new LineLink(
            SocketTransport.connect(
                new InetSocketAddress("localhost", Integer.parseInt(place)), LineHost.CLIENT)),
        "",
        WireLimits.DEFAULTS,
        body -> Thread.ofPlatform().daemon().name("receiver").unstarted(body),
        60_000_000_000L);
  }
}
