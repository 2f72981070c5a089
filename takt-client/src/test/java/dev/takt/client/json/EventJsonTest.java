package dev.takt.client.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.wire.KeyTree;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.RandomContents;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Events and templates pass through JSON as they pass through messages. */
class EventJsonTest {
  private static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxKeys(1 << 13);

  private final long seed = Seeds.seed();
  private final EventJson json = new EventJson(new KeyTree(1 << 13), JsonLimits.DEFAULTS);

  private static String written(Event event) {
    StringBuilder out = new StringBuilder();
    JsonWriter writer = new JsonWriter(out);
    if (event.isTemplate()) {
      writer.template(event);
    } else {
      writer.event(event);
    }
    return out.toString();
  }

  private Event event(String text) throws JsonException {
    Event event = new Event();
    json.event(new JsonReader(text, 0, JsonLimits.DEFAULTS).only(), event);
    return event;
  }

  private Template template(String text) throws JsonException {
    Template template = new Template();
    json.template(new JsonReader(text, 0, JsonLimits.DEFAULTS).only(), template);
    return template;
  }

  @Test
  void shouldReadRandomEventsAsMessagesDo() throws IOException {
    RandomContents contents = new RandomContents(seed);
    MessageWriter writer = new MessageWriter(WIRE);
    MessageReader reader = new MessageReader(WIRE);
    Event into = new Event();
    for (int i = Seeds.size(5_000, 1_000_000); i > 0; i--) {
      Event event = contents.event(new Event());
      writer.request(Operation.WRITE, 0, i, 0).event(event).end();
      reader.begin(writer.segment(), 0, writer.length());
      reader.event(into);
      String text = written(into);
      assertThat(text).doesNotContain("\n", "\r");
      assertThat(event(text)).as("%s, %s", text, Seeds.replay(seed)).isEqualTo(event);
      assertThat(event(text).keys()).isEqualTo(event.keys());
    }
  }

  @Test
  void shouldReadRandomTemplatesAsTheyWereWritten() throws JsonException {
    RandomContents contents = new RandomContents(seed);
    for (int i = Seeds.size(5_000, 1_000_000); i > 0; i--) {
      Template template = contents.template();
      StringBuilder out = new StringBuilder();
      new JsonWriter(out).template(template);
      assertThat(template(out.toString()))
          .as("%s, %s", out, Seeds.replay(seed))
          .isEqualTo(template);
      assertThat(template(out.toString())).hasToString(template.toString());
    }
  }

  @Test
  void shouldWriteAndReadWhatThePageSays() throws JsonException {
    Event event =
        new Event("id", 7)
            .add("price", 1.5)
            .add("when", Instant.parse("2026-01-02T03:04:05Z"))
            .add("big", Long.MAX_VALUE)
            .add("half", '\ud800')
            .add("names", new String[] {"a", null});
    assertThat(written(event))
        .isEqualTo(
            """
            {"id":7,"price":1.5,"when":{"$instant":"2026-01-02T03:04:05Z"},\
            "big":{"$integer":"9223372036854775807"},"half":{"$character":55296},\
            "names":["a",null]}\
            """);
    assertThat(event(written(event))).isEqualTo(event);
    assertThat(event("{\"a\":9223372036854775807}")).isEqualTo(new Event("a", Long.MAX_VALUE));
    assertThat(event("{\"a\":{\"$number\":7}}")).isEqualTo(new Event("a", 7.0));
    assertThat(template("{\"a\":{\"$any\":true},\"b\":null,\"c\":{\"$atLeast\":5}}"))
        .isEqualTo(new Template().add("a", null).add("b", null).atLeast("c", 5));
  }

  @Test
  void shouldReadNumbersOfVeryManyDigitsInLinearTime() throws JsonException {
    BigInteger many = BigInteger.ONE.shiftLeft(1 << 20).negate().subtract(BigInteger.ONE);
    Event event = new Event("a", many).add("b", new BigDecimal(many.negate(), -7));
    assertThat(event(written(event))).isEqualTo(event);
    assertThatThrownBy(() -> event("{\"a\":" + "9".repeat(1_001) + "}"))
        .isInstanceOf(JsonException.class)
        .hasMessageContainingAll("number", "at most 1000", "JsonLimits.maxDigits");
    assertThatThrownBy(() -> event("{\"a\":{\"$bigInteger\":\"" + "9".repeat(1_001) + "\"}}"))
        .hasMessageContainingAll("digits", "at most 1000", "0x");
  }

  @Test
  void shouldRefuseWhatIsNoEvent() {
    String[][] all = {
      {"[1]", "an object"},
      {"{\"a\":{\"b\":1}}", "tag=b"},
      {"{\"a\":{}}", "events are not nested"},
      {"{\"a\":null}", "this is no template"},
      {"{\"a\":{\"$any\":true}}", "this is no template"},
      {"{\"a\":[1]}", "$doubles"},
      {"{\"a\":9223372036854775808}", "$bigInteger"},
      {"{\"a\":{\"$instant\":\"yesterday\"}}", "value of a"},
      {"{\"a\":{\"$bytes\":\"!\"}}", "value of a"},
      {"{\"a\":{\"$shorts\":[40000]}}", "-32768 to 32767"},
      {"{\"" + "k".repeat(256) + "\":1}", "at most 255 bytes"},
      {"{\"a\":{\"$bigDecimal\":\"1e99999999999\"}}", "value of a"},
    };
    for (String[] each : all) {
      assertThatThrownBy(() -> event(each[0]))
          .as(each[0])
          .isInstanceOf(JsonException.class)
          .hasMessageContaining(each[1]);
    }
    assertThatThrownBy(() -> written(new Event("a", "\ud800")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("surrogate");
  }

  @Test
  void shouldStoreInfinityOnlyForItsName() throws JsonException {
    String many = "1" + "0".repeat(400);
    for (String each :
        List.of(
            many,
            "{\"$number\":" + many + "}",
            "{\"$number\":-" + many + "}",
            "{\"$number\":1e999}",
            "{\"$doubles\":[" + many + "]}",
            "{\"$doubles\":[{\"$number\":" + many + "}]}",
            "{\"$floats\":[1e39]}",
            "{\"$floats\":[{\"$number\":-1e39}]}")) {
      assertThatThrownBy(() -> event("{\"a\":" + each + "}"))
          .as(each)
          .isInstanceOf(JsonException.class);
    }
    assertThatThrownBy(() -> template("{\"a\":{\"$atLeast\":{\"$number\":" + many + "}}}"))
        .isInstanceOf(JsonException.class)
        .hasMessageContainingAll("64 bits", "{\"$number\":\"Infinity\"}");
    assertThat(event("{\"a\":{\"$floats\":[3.4028235E38,{\"$number\":\"-Infinity\"}]}}"))
        .isEqualTo(new Event("a", new float[] {Float.MAX_VALUE, Float.NEGATIVE_INFINITY}));
    assertThat(event("{\"a\":{\"$number\":1" + "0".repeat(308) + "}}"))
        .isEqualTo(new Event("a", 1e308));
  }

  @Test
  void shouldKeepOnlySoManySequencesOfKeysOfAllConnectionsOfAClient() throws JsonException {
    KeyTree keys = new KeyTree(3);
    new EventJson(keys, JsonLimits.DEFAULTS)
        .event(new JsonReader("{\"b\":1}", 0, JsonLimits.DEFAULTS).only(), new Event());
    EventJson few = new EventJson(keys, JsonLimits.DEFAULTS);
    for (int i = 0; i < 2; i++) {
      few.event(new JsonReader("{\"a\":1,\"b\":2}", 0, JsonLimits.DEFAULTS).only(), new Event());
      few.event(new JsonReader("{\"b\":1}", 0, JsonLimits.DEFAULTS).only(), new Event());
    }
    assertThatThrownBy(
            () ->
                few.event(
                    new JsonReader("{\"a\":1,\"c\":2}", 0, JsonLimits.DEFAULTS).only(),
                    new Event()))
        .isInstanceOf(JsonException.class)
        .hasMessageContainingAll("key in a new sequence=c", "3", "WireLimits.maxKeys");
  }

  @Test
  void shouldReadOrRefuseMutatedTextsAndThrowNothingElse() {
    Random random = new Random(seed);
    RandomContents contents = new RandomContents(seed);
    String letters = "{}[]\":,\\u0019eE.+-tfn$ \ud83d\ude00\u0000";
    int read = 0;
    int refused = 0;
    for (int i = Seeds.size(20_000, 2_000_000); i > 0; i--) {
      Event original = i % 2 == 0 ? contents.template() : contents.event(new Event());
      StringBuilder out = new StringBuilder();
      new JsonWriter(out).template(original);
      for (int j = 1 + random.nextInt(3); j > 0; j--) {
        int at = random.nextInt(out.length());
        char c = letters.charAt(random.nextInt(letters.length()));
        switch (random.nextInt(3)) {
          case 0 -> out.setCharAt(at, c);
          case 1 -> out.insert(at, c);
          default -> out.setLength(Math.max(1, random.nextInt(10) == 0 ? at : out.length()));
        }
      }
      try {
        template(out.toString());
        read++;
      } catch (JsonException e) {
        assertThat(e.getMessage()).contains(", expected: ");
        refused++;
      } catch (Throwable thrown) {
        throw new AssertionError(out + ", " + Seeds.replay(seed), thrown);
      }
    }
    assertThat(read).isGreaterThan(100);
    assertThat(refused).isGreaterThan(1_000);
  }
}
