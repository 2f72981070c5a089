package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines are encoded and decoded as the JDK's strict coders do, whatever characters they have. */
class LineTextTest {
  private static final int MAX_BYTES = 24;

  /** At the ends of the ranges of one to four bytes; what a String has for no UTF-8 is a line's. */
  private static final String[] PIECES = {
    "",
    "a",
    "?",
    "\u007f",
    "\u0080",
    "\u00ff",
    "\u07ff",
    "\u0800",
    "\ufffd",
    "\ud83d\ude00",
    "\ud83d",
    "\ude00"
  };

  @Test
  void shouldEncodeAsTheStrictEncoder() throws Exception {
    Random random = new Random(Seeds.seed());
    for (int run = 0; run < 20_000; run++) {
      String line = line(random);
      byte[] expected = encodeStrictly(line);
      if (expected == null) {
        assertThatThrownBy(() -> LineText.encode(line, MAX_BYTES))
            .as(Seeds.replay(Seeds.seed()))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining("half a surrogate pair");
      } else if (expected.length > MAX_BYTES) {
        assertThatThrownBy(() -> LineText.encode(line, MAX_BYTES))
            .as(Seeds.replay(Seeds.seed()))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining(expected.length + " bytes (limit: maxLineBytes=" + MAX_BYTES);
      } else {
        byte[] ended = Arrays.copyOf(expected, expected.length + 1);
        ended[expected.length] = '\n';
        assertThat(LineText.encode(line, MAX_BYTES))
            .as(Seeds.replay(Seeds.seed()))
            .isEqualTo(ended);
      }
    }
  }

  @Test
  void shouldDecodeAsTheStrictDecoder() throws Exception {
    Random random = new Random(Seeds.seed());
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = line(random).getBytes(StandardCharsets.UTF_8);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      int from = random.nextInt(bytes.length + 1);
      String expected = decodeStrictly(bytes, from);
      if (expected == null) {
        assertThatThrownBy(() -> LineText.decode(bytes, from, bytes.length))
            .as(Seeds.replay(Seeds.seed()))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining((bytes.length - from) + " bytes that are not UTF-8");
      } else {
        assertThat(LineText.decode(bytes, from, bytes.length))
            .as(Seeds.replay(Seeds.seed()))
            .isEqualTo(expected);
      }
    }
  }

  private static String line(Random random) {
    StringBuilder line = new StringBuilder();
    boolean isAscii = random.nextBoolean();
    for (int i = random.nextInt(MAX_BYTES + 3); i > 0; i--) {
      line.append(PIECES[random.nextInt(isAscii ? 4 : PIECES.length)]);
    }
    return line.toString();
  }

  private static byte[] encodeStrictly(String line) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(line));
      byte[] encoded = new byte[bytes.remaining()];
      bytes.get(encoded);
      return encoded;
    } catch (CharacterCodingException halfAPair) {
      return null;
    }
  }

  private static String decodeStrictly(byte[] bytes, int from) {
    try {
      ByteBuffer part = ByteBuffer.wrap(bytes, from, bytes.length - from);
      return StandardCharsets.UTF_8.newDecoder().decode(part).toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }
}
