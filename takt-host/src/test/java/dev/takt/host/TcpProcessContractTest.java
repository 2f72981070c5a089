package dev.takt.host;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import java.io.IOException;

/** By TCP. */
class TcpProcessContractTest extends ProcessSpaceContract {
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 20_000, 60_000_000_000L);

  /** The host. */
  static final class Host {
    public static void main(String[] arguments) throws IOException {
      serve(
          space ->
              served(TcpServer.open(space, address(""), null, everybody(), TcpLimits.DEFAULTS)));
    }
  }

  @Override
  protected Class<?> host() {
    return Host.class;
  }

  @Override
  protected RemoteSpace connect(String place) throws IOException {
    return Takt.connect(address(place), null, "", PATIENT);
  }
}
