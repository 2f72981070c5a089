package dev.takt.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is written is read, as the page of the package says. */
class MessageFormatTest {
  record Pair(int a, int b) {}

  private final MessageWriter writer = new MessageWriter(Messages.LIMITS);
  private final MessageReader reader = new MessageReader(Messages.LIMITS);

  private void begin() throws WireException {
    reader.begin(writer.segment(), 0, writer.length());
  }

  private static String hex(String text) {
    return text.replaceAll("\\s", "");
  }

  /** A change of these bytes is another version. */
  @Test
  void shouldWriteTheBytesOfVersionThree() {
    writer.hello(65_536, "me");
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .isEqualTo(
            hex(
                """
                01 00 0000 32000000 0000000000000000 0300000000000000 00000100
                0000000000000000 0000000000000000 02000000 6d65\
                """));

    writer.hello(4_096, new UUID(1, 2), "");
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .isEqualTo(
            hex(
                """
                01 00 0000 30000000 0000000000000000 0300000000000000 00100000
                0100000000000000 0200000000000000 00000000\
                """));

    writer.welcome(4_096, 5, SpaceSettings.DEFAULTS);
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .startsWith(
            hex("02 00 0000 48000000 0000000000000000 0300000000000000 00100000 0500000000000000"));

    Event event = new Event("id", 7).add("s", "hé");
    writer.request(Operation.WRITE, 0x0201, 5, 0).event(event).end();
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .isEqualTo(
            hex(
                """
                03 01 0102 2a000000 0500000000000000 0000000000000000
                0080  02 02 6964 01 73  12 07 05 03000000 68c3a9\
                """));

    writer.sent();
    writer.request(Operation.WRITE, 0x0201, 5, 0).event(event).end();
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .isEqualTo(
            hex(
                """
                03 01 0102 24000000 0500000000000000 0000000000000000
                0000  12 07 05 03000000 68c3a9\
                """));

    writer
        .request(Operation.AWAIT_TAKE, 0, 6, 1_000)
        .template(new Template("k", true).add("w", null).atLeast("n", 1).not("n", 2))
        .end();
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .isEqualTo(
            hex(
                """
                03 0b 0000 31000000 0600000000000000 e803000000000000
                0180  03 01 6b 01 77 01 6e
                04  00  11 02 01 0100000000000000 05 12 02\
                """));

    writer.refusal(Operation.COMMIT, 1, Refusal.CONFLICT, "no");
    assertThat(HexFormat.of().formatHex(Messages.bytes(writer)))
        .isEqualTo(hex("06 13 0000 1e000000 0100000000000000 0400000000000000 02000000 6e6f"));
  }

  @Test
  void shouldReadWhatIsWritten() throws WireException {
    for (Event event : Messages.events()) {
      writer.request(Operation.WRITE, 65_535, Long.MIN_VALUE, -7).event(event).end();
      assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(event);
      assertThat(reader.kind()).isEqualTo(MessageKind.REQUEST);
      assertThat(reader.operation()).isEqualTo(Operation.WRITE);
      assertThat(reader.transaction()).isEqualTo(65_535);
      assertThat(reader.request()).isEqualTo(Long.MIN_VALUE);
      assertThat(reader.number()).isEqualTo(-7);
    }
    for (Template template : Messages.templates()) {
      writer.request(Operation.TAKE, 0, 1, 0).template(template).end();
      assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(template);
    }
    writer.welcome(4_096, 6, SpaceSettings.DEFAULTS);
    assertThat(Messages.read(reader, Messages.bytes(writer)))
        .containsExactly(4_096, 6L, SpaceSettings.DEFAULTS);
  }

  @Test
  void shouldSendEachIntegerInAsFewBytesAsItHas() throws WireException {
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (long value : new long[] {(1L << bits) - 1, 1L << bits, -1L << bits, (-1L << bits) - 1}) {
        Event event = new Event("n", value);
        writer.request(Operation.WRITE, 0, 1, 0).event(event).end();
        int size = BigInteger.valueOf(value).toByteArray().length;
        assertThat(writer.length()).as("bytes for %s", value).isEqualTo(30 + size);
        assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(event);

        Event behind = new Event("flag", true).add("n", value).add("d", value / 3.0).add("s", "x");
        writer.request(Operation.WRITE, 0, 1, 0).event(behind).end();
        assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(behind);
        Template without = new Template().not("n", value);
        writer.request(Operation.TAKE, 0, 1, 0).template(without).end();
        assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(without);
      }
    }
  }

  /** The last bytes of the buffer have no room for what is written over. */
  @Test
  void shouldSendIntegersUpToTheLastByteOfTheLargestMessage() throws WireException {
    MessageWriter small = new MessageWriter(WireLimits.DEFAULTS.withMaxMessageBytes(256));
    Event event = new Event("b", new byte[212]).add("m", -1_000).add("n", 7);
    small.request(Operation.WRITE, 0, 1, 0).event(event).end();
    assertThat(small.length()).isEqualTo(256);
    assertThat(Messages.read(reader, Messages.bytes(small))).containsExactly(event);
    assertThatThrownBy(() -> small.request(Operation.WRITE, 0, 1, 0).event(event.add("n", 200)))
        .hasMessageContaining("message too large");
  }

  @Test
  void shouldKeepEachOperationAndKind() throws WireException {
    for (Operation operation : Operation.values()) {
      if (operation != Operation.NONE) {
        writer.request(operation, 1, 2, 3).end();
        begin();
        assertThat(reader.operation()).isEqualTo(operation);
        writer.answer(MessageKind.ANSWER, operation, 2, 3).end();
        begin();
        assertThat(reader.operation()).isEqualTo(operation);
        assertThat(reader.kind()).isEqualTo(MessageKind.ANSWER);
      }
    }
  }

  /** It has not made the space: what it can do is to ask for more, or to give the option. */
  @Test
  void shouldTellAClientThatALimitOfTheSpaceIsTheHosts() throws WireException {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1).withMaxIndexes(1));
    Event x = new Event("x", 1);
    assertThat(space.test(x)).isFalse();
    refuse(() -> space.test(new Event("y", 1)));
    assertThat(reader.refusal()).hasMessageEndingWith("raise SpaceSettings.maxIndexes of the host");
    space.write(x);
    refuse(() -> space.write(x));
    assertThat(reader.refusal())
        .hasMessageEndingWith(
            "raise SpaceSettings.capacity of the host (of ./takt serve: --capacity)");
    refuse(() -> space.write(new Event("x", new double[1_000])));
    assertThat(reader.refusal())
        .hasMessageEndingWith(
            "raise SpaceSettings.maxEventBytes of the host (of ./takt serve: --max-event)");
  }

  private void refuse(ThrowingCallable request) throws WireException {
    Throwable why = catchThrowable(request);
    writer.refusal(Operation.WRITE, 1, Refusal.of(why), why.getMessage());
    begin();
  }

  @Test
  void shouldTellWhyARequestWasRefused() throws WireException {
    for (Refusal why : Refusal.values()) {
      writer.refusal(Operation.WRITE, 1, why, "the text");
      begin();
      Throwable thrown = reader.refusal();
      assertThat(thrown).hasMessage("the text");
      assertThat(Refusal.of(thrown))
          .isEqualTo(thrown instanceof IllegalStateException ? Refusal.STATE : why);
    }
    MessageWriter small = new MessageWriter(WireLimits.DEFAULTS.withMaxMessageBytes(256));
    small.refusal(Operation.WRITE, 1, Refusal.STATE, "\ude00" + "\u20ac".repeat(1_000));
    reader.begin(small.segment(), 0, small.length());
    assertThat(reader.refusal()).hasMessage("?" + "\u20ac".repeat(75));
    assertThat(Refusal.of(new StackOverflowError())).isEqualTo(Refusal.FAILED);
    for (Abort.Reason reason : Abort.Reason.values()) {
      assertThat(Refusal.of(Abort.of(reason, "x")).thrown("x"))
          .isInstanceOfSatisfying(
              Abort.class, abort -> assertThat(abort.reason()).isEqualTo(reason));
    }
  }

  @Test
  void shouldRefuseWhatHasNoPlaceInAMessageAndGoOn() throws WireException {
    writer.request(Operation.WRITE, 0, 1, 0);
    refused(new Event("p", new Pair(1, 2)), "Pair", "key=p");
    refused(new Event("e", Thread.State.NEW), "class java.lang.Thread$State", "key=e");
    refused(new Event("t", "a\ud83d"), "half of a surrogate pair", "character 1");
    refused(new Event("t", "\ude00"), "half of a surrogate pair");
    refused(new Event("k".repeat(256), 1), "key too long", "limit=255");
    refused(new Event("b", new byte[70_000]), "message too large", "limit=65536");
    assertThatThrownBy(() -> writer.template(new Template().matchingLong("a", a -> a > 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("a predicate cannot leave its process", "ranges");

    Event good = new Event("k".repeat(255), 1);
    writer.event(good).end();
    assertThat(Messages.read(reader, Messages.bytes(writer))).containsExactly(good);
  }

  private void refused(Event event, String... parts) {
    assertThatThrownBy(() -> writer.event(event))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void shouldNameOffsetValueAndWhatIsExpected() {
    byte[] message = written(new Event("id", 7));
    wrong(message, 0, 9, "kind=9 at offset 0, expected: 1 to 8");
    wrong(message, 1, 27, "operation of a REQUEST=27 at offset 1");
    wrong(message, 4, 1, "length=1 at offset 4, expected: 32 to 32");
    wrong(message, 25, 0, "number of keys=0 at offset 24, expected: one that was given before");
    wrong(message, 25, 0x84, "given number of keys=1024 at offset 24, expected: 0 to 1023");
    wrong(message, 26, 17, "keys=17 at offset 26, expected: at most 16");
    wrong(message, 27, 200, "bytes of key=200 at offset 28, expected: at most 4, the rest");
    wrong(message, 30, 25, "tag=25 at offset 30, expected: at most 24");
    wrong(message, 30, 19, "bytes of integer=2 at offset 31, expected: at most 1, the rest");
    wrong(message, 30, 1, "bytes of integer=8 at offset 31, expected: at most 1, the rest");
    wrong(message, 30, 0, "tag=0 at offset 30, expected: a value, because this is no template");
    wrong(message, 30, 3, "bytes at the end=1 at offset 31, expected: 0");
    wrong(message, 28, 0xff, "text=Input length = 1 at offset 28, expected: UTF-8");
    wrong(written(new Event("a", 1).add("b", 1)), 30, 'a', "key=a at offset 29, expected: another");
    wrong(written(new Event("z", new boolean[] {true})), 35, 2, "boolean=2 at offset 35, expected");
    wrong(
        written(new Event("n", BigInteger.ONE)),
        30,
        0,
        "bytes of a big integer=0 at offset 30, expected: 1 or more");
    writer.request(Operation.TAKE, 0, 1, 0).template(new Template().atLeast("n", 1)).end();
    wrong(Messages.bytes(writer), 30, 0, "conditions=0 at offset 30, expected: 1 or more");
    wrong(Messages.bytes(writer), 31, 6, "condition=6 at offset 31, expected: 1 to 5");
    assertThatThrownBy(() -> reader.begin(MemorySegment.ofArray(new byte[23]), 0, 23))
        .isInstanceOf(WireException.class)
        .hasMessage(
            "bytes of the message=23 at offset 0, expected: 24 to 65536,"
                + " WireLimits.maxMessageBytes");
  }

  private byte[] written(Event event) {
    writer.request(Operation.WRITE, 0, 1, 0).event(event).end();
    return Messages.bytes(writer);
  }

  private void wrong(byte[] message, int at, int value, String text) {
    byte[] changed = message.clone();
    changed[at] = (byte) value;
    assertThatThrownBy(() -> Messages.read(reader, changed))
        .isInstanceOf(WireException.class)
        .hasMessageStartingWith(text);
  }

  @Test
  void shouldBoundTheKeysThatOneClientMakesUp() throws WireException {
    MessageReader bounded = new MessageReader(WireLimits.DEFAULTS.withMaxKeys(3));
    byte[] known = written(new Event("a", 1).add("b", 1));
    Messages.read(bounded, known);
    Messages.read(bounded, written(new Event("b", 1)));
    assertThatThrownBy(() -> Messages.read(bounded, written(new Event("c", 1))))
        .isInstanceOf(WireException.class)
        .hasMessageContainingAll("key in a new sequence=c", "WireLimits.maxKeys");
    assertThat(Messages.read(bounded, known)).hasSize(1);
  }

  @Test
  void shouldBoundTheKeysOfAClientOverAllItsReaders() throws WireException {
    KeyTree keys = new KeyTree(3);
    MessageReader first = new MessageReader(WireLimits.DEFAULTS, keys);
    Messages.read(first, written(new Event("a", 1).add("b", 1)));
    MessageReader second = new MessageReader(WireLimits.DEFAULTS, keys);
    Messages.read(second, written(new Event("a", 1).add("c", 1)));
    Messages.read(first, written(new Event("a", 1).add("c", 2)));
    assertThatThrownBy(() -> Messages.read(second, written(new Event("d", 1))))
        .isInstanceOf(WireException.class)
        .hasMessageContainingAll("key in a new sequence=d", "WireLimits.maxKeys");
  }

  @Test
  void shouldRefuseATokenThatIsTooLongOrNoText() throws WireException {
    String longest = "é".repeat(128);
    writer.hello(4_096, longest);
    assertThat(Messages.read(reader, Messages.bytes(writer)))
        .containsExactly(4_096, Optional.empty(), longest);
    assertThatThrownBy(() -> writer.hello(4_096, longest + "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("token too long: bytes=257, limit=256");

    writer.hello(4_096, "me");
    byte[] message = Messages.bytes(writer);
    wrong(message, 45, 1, "bytes of token=258 at offset 44, expected: 0 to 256");
    wrong(message, 44, 3, "bytes of token=3 at offset 48, expected: at most 2, the rest");
    wrong(message, 44, 1, "bytes at the end=1 at offset 49, expected: 0");
    wrong(message, 49, 0x80, "text=Input length = 1 at offset 48, expected: UTF-8");
  }

  @Test
  void shouldRefuseWhatTheOtherSideDoesNotTake() {
    writer.limitTo(256);
    writer.request(Operation.WRITE, 0, 1, 0);
    refused(new Event("b", new byte[256]), "message too large", "limit=256");
    writer.refusal(Operation.WRITE, 1, Refusal.STATE, "x".repeat(1_000));
    assertThat(writer.length()).isLessThanOrEqualTo(256);
  }

  @Test
  void shouldReadWhatWasThereWhenItBeganWhateverOthersWrite() throws WireException {
    byte[] message = written(new Event("id", 7));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment shared = arena.allocate(message.length);
      MemorySegment.copy(message, 0, shared, ValueLayout.JAVA_BYTE, 0, message.length);
      reader.begin(shared, 0, message.length);
      shared.fill((byte) -1);
      Event event = new Event();
      reader.event(event);
      reader.end();
      assertThat(event).isEqualTo(new Event("id", 7));
    }
  }

  @Test
  void shouldAllocateNothingForWhatComesAgain() throws WireException {
    Event event = new Event("type", "sell").add("price", 12.5).add("n", 7).add("last", true);
    Template template = new Template("type", "sell").add("n", null);
    Event into = new Event();
    List<Runnable> rounds =
        List.of(
            () -> {
              writer.request(Operation.WRITE, 1, 2, 3).event(event).end();
              writer.request(Operation.TAKE, 1, 2, 3).template(template).end();
              writer.request(Operation.WRITE, 1, 2, 3).event(event).end();
            },
            () -> {
              try {
                begin();
                reader.event(into);
                reader.end();
              } catch (WireException e) {
                throw new AssertionError(e);
              }
            });
    for (Runnable round : rounds) {
      assertThat(Allocation.inSteadyState(round)).isZero();
    }
    assertThat(into).isEqualTo(event);
  }
}
