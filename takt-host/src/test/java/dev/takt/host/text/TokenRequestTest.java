package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.json.JsonException;
import dev.takt.client.wire.KeyTree;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is made of the first request of a client of which nobody knows yet who it is. */
class TokenRequestTest {
  private static TextRequests requests(TextForm form) {
    return new TextRequests(form, WireLimits.DEFAULTS, new KeyTree(1));
  }

  /** A process has 65,536 sequences of keys, for good: these are more. */
  @ParameterizedTest
  @EnumSource(TextForm.class)
  void shouldMakeNoEventOfARequestThatIsNoToken(TextForm form) throws JsonException {
    for (int i = 0; i < 5_000; i++) {
      StringBuilder event = new StringBuilder("{");
      for (int key = 0; key < 16; key++) {
        event.append("\"").append(form).append(i).append('-').append(key).append("\":1,");
      }
      event.setCharAt(event.length() - 1, '}');
      String text =
          form == TextForm.LINES
              ? "#7 write " + event
              : "{\"id\":7,\"op\":\"write\",\"event\":" + event + "}";
      TextRequests requests = requests(form);
      assertThat(requests.readToken(text)).isFalse();
      assertThat(requests.request()).isEqualTo(7);
    }
    assertThat(new Event("of the host itself, " + form, 1).size()).isEqualTo(1);
  }

  @Test
  void shouldReadTheToken() throws JsonException {
    TextRequests lines = requests(TextForm.LINES);
    assertThat(lines.readToken("#3 token a secret")).isTrue();
    assertThat(lines.token()).isEqualTo("a secret");
    assertThat(lines.request()).isEqualTo(3);
    TextRequests objects = requests(TextForm.JSON);
    assertThat(objects.readToken("{\"op\":\"token\",\"token\":\"a secret\"}")).isTrue();
    assertThat(objects.token()).isEqualTo("a secret");
  }
}
