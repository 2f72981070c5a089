package dev.takt.host.text;

import dev.takt.client.RemoteSpace;
import dev.takt.host.ProcessSpaceContract;
import dev.takt.host.TcpLimits;
import java.io.IOException;
import java.util.List;

/** By WebSocket. */
class WebSocketProcessContractTest extends ProcessSpaceContract {
  /** The host. */
  static final class Host {
    public static void main(String[] arguments) throws IOException {
      serve(
          space ->
              served(
                  TextServer.openWebSockets(
                      space, address(""), null, everybody(), TcpLimits.DEFAULTS, List.of())));
    }
  }

  @Override
  protected Class<?> host() {
    return Host.class;
  }

  @Override
  protected RemoteSpace connect(String place) throws IOException {
    return connected(new JsonLink(new WebSocketPeer(address(place))));
  }
}
