package dev.takt.host.text;

import dev.takt.client.RemoteSpace;
import dev.takt.host.ProcessSpaceContract;
import dev.takt.host.TcpLimits;
import dev.takt.session.SocketTransport;
import java.io.IOException;

/** By lines. */
class LineProcessContractTest extends ProcessSpaceContract {
  /** The host. */
  static final class Host {
    public static void main(String[] arguments) throws IOException {
      serve(
          space ->
              served(
                  TextServer.openLines(space, address(""), null, everybody(), TcpLimits.DEFAULTS)));
    }
  }

  @Override
  protected Class<?> host() {
    return Host.class;
  }

  @Override
  protected RemoteSpace connect(String place) throws IOException {
    return connected(new LineLink(SocketTransport.connect(address(place), LineHost.CLIENT)));
  }
}
