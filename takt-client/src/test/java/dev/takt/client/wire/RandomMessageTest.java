package dev.takt.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random events and templates come back as they were sent. */
class RandomMessageTest {
  private final long seed = Seeds.seed();
  private final RandomContents contents = new RandomContents(seed);
  private final MessageWriter writer = new MessageWriter(Messages.LIMITS);
  private final Random random = new Random(seed);
  private final MessageBuffer buffer = new MessageBuffer(Messages.LIMITS.maxMessageBytes());
  private final MessageReader reader = new MessageReader(Messages.LIMITS);

  @Test
  void shouldReadRandomEventsAndTemplatesAsTheyWereSent() throws WireException {
    Event into = new Event();
    Template intoTemplate = new Template();
    for (int i = Seeds.size(5_000, 2_000_000); i > 0; i--) {
      if (random.nextInt(8) == 0) { // written, and not sent
        writer.request(Operation.WRITE, 0, i, 0).event(contents.event(new Event())).end();
      }
      Event event = contents.event(new Event());
      Template template = contents.template();
      writer.request(Operation.WRITE, 0, i, 0).event(event).end();
      writer.sent();
      int length = writer.length();
      if (random.nextBoolean()) {
        MemorySegment.copy(writer.segment(), 0, buffer.segment(), 0, length);
        reader.begin(buffer, length);
      } else {
        reader.begin(writer.segment(), 0, length);
      }
      reader.event(into);
      reader.end();
      assertThat(into).as(Seeds.replay(seed)).isEqualTo(event);
      assertThat(into.keys()).isEqualTo(event.keys());
      writer.request(Operation.TAKE, 0, i, 0).template(template).end();
      writer.sent();
      reader.begin(writer.segment(), 0, writer.length());
      reader.template(intoTemplate);
      reader.end();
      assertThat(intoTemplate).as(Seeds.replay(seed)).isEqualTo(template);
      assertThat(intoTemplate).hasToString(template.toString());
      assertThat(intoTemplate.matches(event)).isEqualTo(template.matches(event));
    }
  }
}
