package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An answer that takes long is made in steps, which the test counts. */
class BulkAnswerTest {
  private static final int CAPACITY = 5_000;
  private static final int EVENTS = 300;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(CAPACITY));
  private final Deque<byte[]> sent = new ArrayDeque<>();
  private int stepsLeft;
  private final MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
  private final MessageReader reader = new MessageReader(WireLimits.DEFAULTS);
  private final ClientSession session =
      new ClientSession(
          space,
          ClientLimits.DEFAULTS,
          new Outbox() {
            @Override
            public void send(MemorySegment message, int length) {
              sent.add(MemoryLink.copy(message, length));
            }

            @Override
            public boolean mayGoOn() {
              return stepsLeft-- > 0;
            }
          },
          () -> {});

  @BeforeEach
  void begin() throws WireException {
    for (int i = 0; i < EVENTS; i++) {
      space.write(new Event("id", i));
    }
    writer.hello(1 << 16, "");
    session.handle(writer.segment(), writer.length(), 0);
    sent.clear();
  }

  @AfterEach
  void end() {
    session.close();
  }

  private void ask(Operation operation, long number, Event template) throws WireException {
    stepsLeft = 1;
    writer.request(operation, 0, 7, number).template(template).end();
    session.handle(writer.segment(), writer.length(), 0);
  }

  private void step() {
    assertThat(session.isAnswering()).isTrue();
    stepsLeft = 1;
    session.advance(0);
  }

  private MessageKind next() throws WireException {
    byte[] message = sent.remove();
    reader.begin(MemorySegment.ofArray(message), 0, message.length);
    assertThat(reader.request()).isEqualTo(7);
    return reader.kind();
  }

  @Test
  void shouldCountInStepsOfSomeSlots() throws WireException {
    ask(Operation.COUNT, 0, new Template());
    int steps = 1;
    while (sent.isEmpty()) {
      step();
      steps++;
    }
    assertThat(steps).isGreaterThanOrEqualTo(CAPACITY / BulkAnswer.SLOTS);
    assertThat(next()).isEqualTo(MessageKind.ANSWER);
    assertThat(reader.number()).isEqualTo(EVENTS);
    assertThat(session.isAnswering()).isFalse();
  }

  @Test
  void shouldReadAllInStepsOfSomeEventsWithoutWhatHasGoneMeanwhile() throws WireException {
    ask(Operation.READ_ALL, 0, new Template());
    while (sent.isEmpty()) {
      step();
    }
    assertThat(space.take(new Event("id", 250), new Event())).isTrue();
    List<Long> ids = new ArrayList<>();
    while (next() == MessageKind.PART) {
      collect(ids);
      step();
    }
    collect(ids);
    List<Long> expected = new ArrayList<>();
    for (long id = 0; id < EVENTS; id++) {
      if (id != 250) {
        expected.add(id);
      }
    }
    assertThat(ids).isEqualTo(expected);
    assertThat(session.isAnswering()).isFalse();
  }

  @Test
  void shouldGiveWhatWasTakenAtOnceInSteps() throws WireException {
    ask(Operation.TAKE_ALL, 200, new Template());
    assertThat(space.count(new Template())).as("taken in one transaction").isEqualTo(EVENTS - 200);
    List<Long> ids = new ArrayList<>();
    while (next() == MessageKind.PART) {
      collect(ids);
      step();
    }
    collect(ids);
    assertThat(ids).hasSize(200).isSorted();
  }

  private void collect(List<Long> ids) throws WireException {
    assertThat(reader.number()).isLessThanOrEqualTo(BulkAnswer.EVENTS);
    Event event = new Event();
    for (long i = reader.number(); i > 0; i--) {
      reader.event(event);
      ids.add(event.getLong("id"));
    }
    reader.end();
  }
}
