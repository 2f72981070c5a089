package dev.takt.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, nothing but the format's own exception is thrown, and little is kept. */
class HostileMessageTest {
  /** Bytes that a reader may allocate for each byte of a message, and besides. */
  private static final int FACTOR = 32;

  /**
   * For what a space keeps of sequences of keys that are new: its tables are copied when they grow.
   */
  private static final int BESIDES = 1 << 18;

  private int refused;
  private int read;

  @BeforeAll
  static void loadClasses() throws WireException {
    for (byte[] message : Messages.all()) {
      Messages.read(new MessageReader(Messages.LIMITS), message);
      message[0] = 0;
      assertThatThrownBy(() -> Messages.read(new MessageReader(Messages.LIMITS), message))
          .isInstanceOf(WireException.class);
    }
  }

  private void feed(MessageReader reader, byte[] message) {
    long before = Allocation.soFar();
    try {
      Messages.read(reader, message);
      read++;
    } catch (WireException e) {
      refused++;
      assertThat(e.getMessage()).contains(" at offset ", ", expected: ");
    } catch (Throwable thrown) {
      throw new AssertionError("message " + Arrays.toString(message), thrown);
    }
    assertThat(Allocation.soFar() - before)
        .as("bytes allocated for a message of %s: %s", message.length, Arrays.toString(message))
        .isLessThan(BESIDES + (long) FACTOR * message.length);
  }

  @Test
  void shouldReadOrRefuseEachMessageWithOneBitFlipped() {
    for (byte[] message : Messages.all()) {
      MessageReader reader = new MessageReader(Messages.LIMITS);
      feed(reader, message);
      assertThat(refused).as("none that is right").isZero();
    }
    for (byte[] message : Messages.all()) {
      MessageReader reader = new MessageReader(Messages.LIMITS);
      for (int i = 0; i < message.length; i++) {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          message[i] ^= (byte) (1 << bit);
          feed(reader, message);
          message[i] ^= (byte) (1 << bit);
        }
      }
    }
    assertThat(refused).isGreaterThan(1_000);
    assertThat(read).isGreaterThan(1_000);
  }

  @Test
  void shouldRefuseEachMessageThatIsCutOrHasMore() {
    List<byte[]> all = Messages.all();
    for (byte[] message : all) {
      MessageReader reader = new MessageReader(Messages.LIMITS);
      for (int length = 0; length < message.length; length++) {
        byte[] cut = Arrays.copyOf(message, length);
        feed(reader, cut);
        if (length >= WireFormat.HEADER_BYTES) {
          WireFormat.INT.set(cut, WireFormat.LENGTH_AT, length); // as if it were all
          feed(reader, cut);
        }
      }
      byte[] more = Arrays.copyOf(message, message.length + 1);
      feed(reader, more);
      WireFormat.INT.set(more, WireFormat.LENGTH_AT, more.length);
      if (message[0] != MessageKind.REQUEST.code() || message[1] != Operation.BEGIN.code()) {
        feed(reader, more);
      }
    }
    assertThat(read).isZero();
    assertThat(refused).isGreaterThan(1_000);
  }

  @Test
  void shouldReadOrRefuseRandomBytes() {
    Random random = new Random(Seeds.seed());
    int keysAt = WireFormat.HEADER_BYTES;
    MessageReader reader = new MessageReader(WireLimits.DEFAULTS);
    for (int i = Seeds.size(20_000, 2_000_000); i > 0; i--) {
      byte[] message = new byte[WireFormat.HEADER_BYTES + random.nextInt(100)];
      random.nextBytes(message);
      message[0] = (byte) MessageKind.REQUEST.code();
      message[1] = (byte) (random.nextBoolean() ? Operation.WRITE : Operation.TAKE).code();
      WireFormat.INT.set(message, WireFormat.LENGTH_AT, message.length);
      for (int k = keysAt; k < message.length; k++) {
        message[k] &= (byte) (random.nextInt(4) == 0 ? 0xFF : 0x13); // small numbers are lengths
      }
      if (message.length > keysAt + 1) {
        message[keysAt + 1] = (byte) (random.nextInt(8) == 0 ? 0x80 : 0); // of a number, its bit
      }
      feed(reader, message);
    }
    assertThat(refused).isPositive();
    assertThat(read).isPositive();
  }

  @Test
  void shouldRefuseAKeyThatComesTwice() throws WireException {
    MessageWriter writer = new MessageWriter(Messages.LIMITS);
    MessageReader reader = new MessageReader(Messages.LIMITS);
    Event event = new Event("a", 1).add("b", 2).add("c", 3);
    writer.request(Operation.WRITE, 0, 1, 0).event(event).end();
    byte[] right = Messages.bytes(writer);
    int lastKey = right.length - 3 * (1 + 1) - 1;
    for (char repeated : new char[] {'a', 'b'}) {
      byte[] wrong = right.clone();
      assertThat(wrong[lastKey]).isEqualTo((byte) 'c');
      wrong[lastKey] = (byte) repeated;
      assertThat(Messages.read(reader, right)).containsExactly(event);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> Messages.read(reader, wrong))
            .isInstanceOf(WireException.class)
            .hasMessageContaining("another than those before it");
      }
    }
  }
}
