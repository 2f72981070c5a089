package dev.takt.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.session.TransportSettings;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is unread is bounded. */
class InboxTest {
  private static final String LINE = "123456789";

  @Test
  void shouldPauseAtTheLongestLineAndGoOnWhenHalfOfThatIsTaken() throws Exception {
    Inbox inbox = new Inbox(TransportSettings.DEFAULTS.withMaxLineBytes(100));
    EmbeddedChannel channel = new EmbeddedChannel(inbox);
    for (int bytes = 0; bytes < 102; bytes += 10) {
      assertThat(channel.config().isAutoRead()).as("%s bytes unread", bytes).isTrue();
      channel.writeInbound(Unpooled.copiedBuffer(LINE + "\n", StandardCharsets.US_ASCII));
    }
    for (int unread = 11; unread > 5; unread--) {
      assertThat(channel.config().isAutoRead()).as("%s lines unread", unread).isFalse();
      assertThat(inbox.takeLine()).isEqualTo(LINE);
    }
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }
}
