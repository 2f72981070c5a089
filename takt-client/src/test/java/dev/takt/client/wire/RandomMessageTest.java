package dev.takt.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Random events and templates come back as they were sent. */
class RandomMessageTest {
  private static final String KEYS = "abcdefghij";

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);
  private final MessageWriter writer = new MessageWriter(Messages.LIMITS);
  private final MessageReader reader = new MessageReader(Messages.LIMITS);

  private Object value() {
    return switch (random.nextInt(14)) {
      case 0 -> random.nextLong();
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> random.nextBoolean();
      case 3, 4 -> text();
      case 5 -> random.ints(random.nextInt(5)).toArray();
      case 6 -> random.longs(random.nextInt(5)).toArray();
      case 7 -> random.doubles(random.nextInt(5)).toArray();
      case 8 -> new String[] {text(), null, text()};
      case 9 -> (char) random.nextInt(1 << 16);
      case 10 -> new BigInteger(random.nextInt(100), random);
      case 11 -> new BigDecimal(new BigInteger(random.nextInt(100), random), random.nextInt(9) - 4);
      case 12 -> new UUID(random.nextLong(), random.nextLong());
      default ->
          random.nextBoolean()
              ? Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))
              : Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(random.nextInt(10) == 0 ? 100 : 6); i > 0; i--) {
      int c = random.nextInt(random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1);
      text.appendCodePoint(Character.getType(c) == Character.SURROGATE ? 'x' : c);
    }
    return text.toString();
  }

  /** In the order of the alphabet, because a process has room for so many orders only. */
  private Event event(Event into) {
    for (int i = 0; i < KEYS.length(); i++) {
      if (random.nextInt(3) == 0) {
        into.add(KEYS.substring(i, i + 1), value());
      }
    }
    return into;
  }

  private Template template() {
    Template template = (Template) event(new Template());
    for (int i = 0; i < KEYS.length(); i++) {
      String key = KEYS.substring(i, i + 1);
      if (template.has(key)) {
        condition(template, key);
      }
    }
    return template;
  }

  private void condition(Template template, String key) {
    long bound = random.nextInt(100) - 50;
    switch (random.nextInt(10)) {
      case 0 -> template.add(key, null);
      case 1 -> template.atLeast(key, bound).not(key, text());
      case 2 -> template.atMost(key, bound).atLeast(key, bound - 0.5);
      case 3 -> template.between(key, bound, bound + 3).not(key, bound);
      case 4 -> template.between(key, (double) bound, Double.POSITIVE_INFINITY);
      case 5 -> template.atMost(key, bound / 3.0).not(key, random.nextBoolean()).not(key, 0.5);
      default -> {}
    }
  }

  @Test
  void shouldReadRandomEventsAndTemplatesAsTheyWereSent() throws WireException {
    Event into = new Event();
    Template intoTemplate = new Template();
    for (int i = Seeds.size(5_000, 2_000_000); i > 0; i--) {
      Event event = event(new Event());
      Template template = template();
      writer.request(Operation.WRITE, 0, i, 0).event(event).end();
      reader.begin(writer.segment(), 0, writer.length());
      reader.event(into);
      reader.end();
      assertThat(into).as(Seeds.replay(seed)).isEqualTo(event);
      assertThat(into.keys()).isEqualTo(event.keys());
      writer.request(Operation.TAKE, 0, i, 0).template(template).end();
      reader.begin(writer.segment(), 0, writer.length());
      reader.template(intoTemplate);
      reader.end();
      assertThat(intoTemplate).as(Seeds.replay(seed)).isEqualTo(template);
      assertThat(intoTemplate).hasToString(template.toString());
      assertThat(intoTemplate.matches(event)).isEqualTo(template.matches(event));
    }
  }
}
