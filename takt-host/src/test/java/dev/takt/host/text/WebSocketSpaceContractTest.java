package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceContract;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The space of a host does by WebSocket what every space does. */
class WebSocketSpaceContractTest extends SpaceContract {
  private EventSpace space;
  private TextServer host;
  private RemoteSpace client;

  @Override
  protected Space space(SpaceSettings settings) {
    if (host == null) {
      space = EventSpace.create(settings);
      try {
        ClientLimits limits =
            ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L).withMaxPriority(5);
        host =
            TextServer.openWebSockets(
                space,
                new InetSocketAddress("localhost", 0),
                null,
                ClientAccounts.open(ClientRights.all("all", limits)),
                TcpLimits.DEFAULTS,
                List.of());
        client =
            RemoteSpace.connect(
                new JsonLink(new WebSocketPeer(host.address())),
                "",
                WireLimits.DEFAULTS,
                body -> Thread.ofPlatform().daemon().name("receiver").unstarted(body),
                60_000_000_000L);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return client;
  }

  @AfterEach
  void leaveNothingBehind() throws IOException {
    if (host != null) {
      client.close();
      host.close();
      assertThat(host.cutOff()).isZero();
      assertThat(host.clients()).isZero();
      assertThat(space.stats().subscriptions()).isZero();
      assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
    }
  }
}
