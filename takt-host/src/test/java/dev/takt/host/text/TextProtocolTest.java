package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.Transport;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client keeps of its account when its connection cannot be served. */
@Timeout(60)
class TextProtocolTest {
  private static final class FaultyTransport implements Transport {
    @Override
    public String readLine() {
      return null;
    }

    @Override
    public void writeLine(String line) {}

    @Override
    public void excuseIdle(LongUnaryOperator moreNs) {
      throw new IllegalStateException("a fault");
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldGiveBackThePlaceOfAConnectionThatCannotBeMade() {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    ClientAccounts accounts = ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TextProtocol protocol =
          TextProtocol.start(space, accounts, TextForm.LINES, TcpLimits.DEFAULTS, sessions);
      assertThatThrownBy(() -> protocol.serve(new FaultyTransport())).hasMessage("a fault");
      assertThat(accounts.find("").sessions()).isZero();
      protocol.end();
    }
  }
}
