package dev.takt.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The keys of a sequence cross a link once; the sides never differ about a number. */
class KeyNumbersTest {
  private static final int HEADER = WireFormat.HEADER_BYTES;
  private static final int KEYS = 2;
  private static final int NUMBER = 1 + 1;

  private final MessageWriter writer = new MessageWriter(Messages.LIMITS);
  private final MessageReader reader = new MessageReader(Messages.LIMITS);
  private final Event event = new Event("instrument", 1).add("price", 2);
  private final Event other = new Event("side", 1);

  private byte[] written(Event... events) {
    writer.answer(MessageKind.PART, Operation.READ_ALL, 1, 0);
    for (Event each : events) {
      writer.event(each);
    }
    writer.count(events.length).end();
    return Messages.bytes(writer);
  }

  private byte[] sent(Event... events) {
    byte[] message = written(events);
    writer.sent();
    return message;
  }

  @Test
  void shouldSendTheKeysOnceAndThenTheirNumber() throws WireException {
    assertThat(Messages.read(reader, sent(event))).containsExactly(event);
    assertThat(Messages.read(reader, sent(other, other))).containsExactly(other, other);

    byte[] again = sent(event, other, event);
    assertThat(again).hasSize(HEADER + 3 * KEYS + 5 * NUMBER);
    assertThat(Messages.read(reader, again)).containsExactly(event, other, event);
  }

  @Test
  void shouldSendTheKeysOnceWithinAMessage() throws WireException {
    byte[] message = sent(event, event);
    assertThat(message).hasSize(HEADER + 2 * KEYS + 1 + 1 + 10 + 1 + 5 + 4 * NUMBER);
    assertThat(Messages.read(reader, message)).containsExactly(event, event);
  }

  @Test
  void shouldSendTheKeysAgainWhenTheMessageWithThemWasNotSent() throws WireException {
    written(event);
    byte[] first = sent(other);
    byte[] second = sent(event);
    assertThat(Messages.read(reader, first)).containsExactly(other);
    assertThat(Messages.read(reader, second)).containsExactly(event);
  }

  @Test
  void shouldSendTheKeysAgainWhenTheEventHadNoPlace() throws WireException {
    Event large = new Event("instrument", new byte[70_000]);
    writer.answer(MessageKind.PART, Operation.READ_ALL, 1, 1).event(event);
    assertThatThrownBy(() -> writer.event(large)).hasMessageContaining("message too large");
    writer.end();
    writer.sent();
    assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(event);

    large.add("instrument", new byte[7]);
    assertThat(Messages.read(reader, sent(large))).containsExactly(large);
  }

  @Test
  void shouldSendTheKeysEachTimeWhenNoNumberIsLeft() throws WireException {
    int kinds = WireFormat.MAX_NUMBERS + 2;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < kinds; i++) {
        Event kind = new Event("kind " + i, i);
        assertThat(Messages.read(reader, sent(kind))).containsExactly(kind);
      }
    }
    assertThat(sent(new Event("kind 1", 1))).hasSize(HEADER + KEYS + NUMBER);
    assertThat(sent(new Event("kind " + (kinds - 1), 1)))
        .hasSize(HEADER + KEYS + 1 + 1 + 9 + NUMBER)
        .satisfies(bytes -> assertThat(bytes[HEADER]).isEqualTo((byte) 0xFF));
  }

  @Test
  void shouldTakeTheLaterSequenceOfANumberThatIsGivenTwice() throws WireException {
    MessageWriter stateless = new MessageWriter(Messages.LIMITS); // gives number 0 each time
    for (Event each : List.of(event, other)) {
      stateless.request(Operation.WRITE, 0, 1, 0).event(each).end();
      assertThat(Messages.read(reader, Messages.bytes(stateless))).containsExactly(each);
    }
    stateless.sent();
    stateless.request(Operation.WRITE, 0, 1, 0).event(other).end();
    assertThat(Messages.read(reader, Messages.bytes(stateless))).containsExactly(other);
  }

  @Test
  void shouldRefuseKeysThatAreTooManyAlsoByTheirNumberAndGoOn() throws WireException {
    MessageReader bounded = new MessageReader(WireLimits.DEFAULTS.withMaxKeys(1));
    Event known = new Event("a", 1);
    Event more = new Event("b", 1);
    assertThat(Messages.read(bounded, sent(known))).containsExactly(known);
    for (String shown : List.of("=b at", "=that of number 1 at")) {
      WireException why =
          catchThrowableOfType(WireException.class, () -> Messages.read(bounded, sent(more)));
      assertThat(why.refusal())
          .hasMessageContainingAll(shown, "one of the 1 that", "put what varies");
    }
    assertThat(Messages.read(bounded, sent(known))).containsExactly(known);
    MessageWriter another = new MessageWriter(Messages.LIMITS);
    another.request(Operation.WRITE, 0, 1, 0).event(more).end();
    another.sent();
    another.request(Operation.WRITE, 0, 1, 0).event(known).end();
    assertThat(Messages.read(bounded, Messages.bytes(another))).containsExactly(known);
    assertThat(Messages.read(bounded, sent(known, known))).containsExactly(known, known);
  }

  @Test
  void shouldFindWhatAMapFinds() {
    Random random = new Random(Seeds.seed());
    KeyNumbers numbers = new KeyNumbers();
    Map<Integer, Integer> told = new HashMap<>();
    Map<Integer, Integer> message = new HashMap<>();
    for (int i = Seeds.size(20_000, 2_000_000); i > 0; i--) {
      int shape = random.nextInt(1 << 16) & (random.nextInt(3) == 0 ? 0xFFFF : 0x83F);
      Integer known = told.getOrDefault(shape, message.get(shape));
      assertThat(numbers.find(shape)).isEqualTo(known == null ? KeyNumbers.NONE : known);
      if (known == null && random.nextBoolean()) {
        int given = numbers.give(shape);
        int expected = told.size() + message.size();
        assertThat(given).isEqualTo(expected < WireFormat.MAX_NUMBERS ? expected : KeyNumbers.NONE);
        if (given != KeyNumbers.NONE) {
          message.put(shape, given);
        }
      }
      switch (random.nextInt(8)) {
        case 0 -> {
          numbers.sent();
          told.putAll(message);
          message.clear();
        }
        case 1 -> {
          int kept = random.nextInt(message.size() + 1);
          numbers.cut(kept);
          message.values().removeIf(number -> number >= told.size() + kept);
        }
        default -> assertThat(numbers.given()).isEqualTo(message.size());
      }
    }
    assertThat(told).hasSize(WireFormat.MAX_NUMBERS);
  }
}
