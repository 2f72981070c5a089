package dev.takt.client.wire;

import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Messages for tests, and what reads any of them to its end. */
final class Messages {
  static final WireLimits LIMITS = WireLimits.DEFAULTS.withMaxKeys(1 << 13);

  private Messages() {}

  /** Messages of every kind, with values of every type. */
  static List<byte[]> all() {
    List<byte[]> all = new ArrayList<>();
    MessageWriter writer = new MessageWriter(LIMITS);
    writer.hello(4_096, new UUID(1, 2), "tökén");
    all.add(bytes(writer));
    writer.welcome(4_096, 6, SpaceSettings.DEFAULTS);
    all.add(bytes(writer));
    for (Event event : events()) {
      writer.request(Operation.WRITE, 7, 1L << 40, 0).event(event).end();
      all.add(bytes(writer));
    }
    for (Template template : templates()) {
      writer.request(Operation.TAKE, 0, -1, 0).template(template).end();
      all.add(bytes(writer));
    }
    writer.request(Operation.BEGIN, 0, 3, 1_000_000).end();
    all.add(bytes(writer));
    writer.answer(MessageKind.ANSWER, Operation.TAKE, 3, 1).event(events().getFirst()).end();
    all.add(bytes(writer));
    writer.answer(MessageKind.PART, Operation.READ_ALL, 4, 0);
    events().forEach(writer::event);
    writer.count(events().size()).end();
    all.add(bytes(writer));
    writer.refusal(Operation.WRITE, 5, Refusal.SPACE_FULL, "the space is full: capacity=64");
    all.add(bytes(writer));
    writer.notice(9);
    all.add(bytes(writer));
    return all;
  }

  static List<Event> events() {
    return List.of(
        new Event("i", 5).add("d", -0.5).add("b", true).add("t", "Gruß \ud83d\ude00").add("e", ""),
        new Event("B", new byte[] {1, 2})
            .add("S", new short[] {-1})
            .add("C", new char[] {'x'})
            .add("I", new int[] {1, 2}),
        new Event("F", new float[] {1})
            .add("J", new long[] {1})
            .add("D", new double[] {Double.NaN, -0.0})
            .add("Z", new boolean[] {true, false})
            .add("T", new String[] {"a", null, ""}),
        new Event("c", 'x')
            .add("n", BigInteger.TWO.pow(70).negate())
            .add("m", new BigDecimal("1.00"))
            .add("u", new UUID(1, -2)),
        new Event("a", Instant.ofEpochSecond(-1, 999_999_999))
            .add("l", Duration.ofNanos(-1))
            .add("y", LocalDate.of(2026, 11, 28))
            .add("o", LocalTime.of(23, 59, 59, 1))
            .add("w", LocalDateTime.of(1, 2, 3, 4, 5, 6, 7)),
        new Event());
  }

  static List<Template> templates() {
    return List.of(
        new Template("i", 5).add("w", null),
        new Template("t", "x").atLeast("p", 3).atMost("q", Long.MIN_VALUE).between("r", -1, 1),
        new Template().atLeast("p", 0.5).atMost("q", -0.0).between("r", 1.0, 2.0),
        new Template().not("p", 3).not("p", 2.5).not("p", "x").not("p", true).atLeast("p", 1),
        new Template());
  }

  static byte[] bytes(MessageWriter writer) {
    return Arrays.copyOf((byte[]) writer.segment().heapBase().orElseThrow(), writer.length());
  }

  /** Reads a message to its end; returns what is in it. */
  static List<Object> read(MessageReader reader, byte[] message) throws WireException {
    reader.begin(MemorySegment.ofArray(message), 0, message.length);
    List<Object> content = new ArrayList<>();
    switch (reader.kind()) {
      case HELLO -> {
        content.add(reader.maxMessageBytes());
        content.add(Optional.ofNullable(reader.client()));
        content.add(reader.token());
      }
      case WELCOME -> {
        content.add(reader.maxMessageBytes());
        content.add(reader.outcomes());
        content.add(reader.settings());
      }
      case REFUSAL -> content.add(reader.refusal());
      case NOTICE -> {}
      case REQUEST -> {
        switch (reader.operation()) {
          case WRITE -> content.add(event(reader));
          case TAKE -> {
            Template template = new Template();
            reader.template(template);
            content.add(template);
          }
          default -> {}
        }
      }
      case ANSWER, PART -> {
        for (long i = reader.number(); i > 0; i--) {
          content.add(event(reader));
        }
      }
    }
    reader.end();
    return content;
  }

  private static Event event(MessageReader reader) throws WireException {
    Event event = new Event();
    reader.event(event);
    return event;
  }
}
