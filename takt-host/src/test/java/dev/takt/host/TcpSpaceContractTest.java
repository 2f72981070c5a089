package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceContract;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The space of a host does by TCP what every space does. */
class TcpSpaceContractTest extends SpaceContract {
  private static final ClientSettings SETTINGS =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 20_000, 60_000_000_000L);

  private EventSpace space;
  private TcpServer server;
  private RemoteSpace client;

  @Nullable SSLContext tls() {
    return null;
  }

  @Override
  protected Space space(SpaceSettings settings) {
    if (server == null) {
      space = EventSpace.create(settings);
      try {
        server =
            TcpServer.open(
                space,
                new InetSocketAddress("localhost", 0),
                tls(),
                ClientAccounts.open(
                    ClientRights.all(
                        "all",
                        ClientLimits.DEFAULTS
                            .withMaxTransactionNs(60_000_000_000L)
                            .withMaxPriority(5))),
                TcpLimits.DEFAULTS);
        InetSocketAddress address = new InetSocketAddress("localhost", server.address().getPort());
        client = Takt.connect(address, tls(), "", SETTINGS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return client;
  }

  @AfterEach
  void leaveNothingBehind() throws IOException {
    if (server != null) {
      client.close();
      server.close();
      assertThat(server.cutOff()).isZero();
      assertThat(server.clients()).isZero();
      assertThat(space.stats().subscriptions()).isZero();
      assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
    }
  }
}
