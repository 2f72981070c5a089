package dev.takt.persist.journal;

import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.StoredField;
import dev.takt.persist.recover.ClassPlan;
import dev.takt.space.Event;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the events of one segment. Whatever the bytes are, it makes no instance of a class that
 * is not declared, no array that is longer than what is left of the file, and no deep recursion.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class EventInput {
  private final RecordInput in;
  private final DeclaredClasses declared;
  private final List<List<String>> shapes = new ArrayList<>();
  private final List<ClassPlan> plans = new ArrayList<>();

  EventInput(RecordInput in, DeclaredClasses declared) {
    this.in = in;
    this.declared = declared;
  }

  /** Takes an event, of a journal that was written with other classes perhaps. */
  Event take() throws DamagedFileException {
    int id = in.varint("shape", shapes.size());
    if (id == shapes.size()) {
      int count = in.varint("keys of an event", Event.MAX_KEYS);
      List<String> keys = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        keys.add(characters());
      }
      shapes.add(keys);
    }
    Event event = new Event();
    for (String key : shapes.get(id)) {
      Object value = value(0);
      if (value == null || event.has(key)) {
        throw in.damaged("key " + key + (value == null ? " has no value" : " comes twice"));
      }
      try {
        event.add(key, value);
      } catch (IllegalArgumentException | IllegalStateException e) {
        throw in.damaged("an event cannot hold what was stored: " + e.getMessage());
      }
    }
    return event;
  }

  private String characters() throws DamagedFileException {
    int count = count(1);
    boolean isWide = in.oneByte() != 0;
    if (isWide && count > in.left() / Character.BYTES) {
      throw in.damaged("characters=%s, bytes left=%s".formatted(count, in.left()));
    }
    char[] text = new char[count];
    in.characters(text, 0, count, isWide);
    return new String(text);
  }

  private @Nullable Object value(int depth) throws DamagedFileException {
    int tag = in.oneByte();
    return switch (tag) {
      case Tag.NULL -> null;
      case Tag.INTEGER -> in.zigzag();
      case Tag.FLOATING -> Double.longBitsToDouble(in.eightBytes());
      case Tag.FALSE -> false;
      case Tag.TRUE -> true;
      case Tag.TEXT -> characters();
      case Tag.ARRAY -> array();
      case Tag.STRINGS -> strings();
      case Tag.ENUM -> constant();
      case Tag.RECORD -> record(depth + 1);
      default -> {
        try {
          yield plain(tag);
        } catch (ArithmeticException | DateTimeException | NumberFormatException e) {
          throw in.damaged("a value of kind " + tag + " is out of its range: " + e.getMessage());
        }
      }
    };
  }

  private Object plain(int tag) throws DamagedFileException {
    return switch (tag) {
      case Tag.CHARACTER -> (char) range(in.zigzag(), 0, Character.MAX_VALUE);
      case Tag.BIG_INTEGER -> big();
      case Tag.BIG_DECIMAL -> {
        BigInteger unscaled = big();
        yield new BigDecimal(unscaled, Math.toIntExact(in.zigzag()));
      }
      case Tag.UUID -> new UUID(in.eightBytes(), in.eightBytes());
      case Tag.INSTANT -> Instant.ofEpochSecond(in.zigzag(), in.zigzag());
      case Tag.DURATION -> Duration.ofSeconds(in.zigzag(), in.zigzag());
      case Tag.DATE -> LocalDate.ofEpochDay(in.zigzag());
      case Tag.TIME -> LocalTime.ofNanoOfDay(in.zigzag());
      case Tag.DATE_TIME ->
          LocalDateTime.of(LocalDate.ofEpochDay(in.zigzag()), LocalTime.ofNanoOfDay(in.zigzag()));
      default -> throw in.damaged("kind of value=" + tag + ", limit=" + Tag.DATE_TIME);
    };
  }

  private long range(long value, long from, long to) throws DamagedFileException {
    if (value < from || value > to) {
      throw in.damaged("value=%s, expected: %s to %s".formatted(value, from, to));
    }
    return value;
  }

  private BigInteger big() throws DamagedFileException {
    byte[] bytes = new byte[count(1)];
    in.elements(bytes, 0, bytes.length, 1);
    return new BigInteger(bytes);
  }

  /** Takes how many elements follow, of so many bytes each. */
  private int count(int bytes) throws DamagedFileException {
    return in.varint("elements", (int) Math.min(Integer.MAX_VALUE - 8, in.left() / bytes));
  }

  private String[] strings() throws DamagedFileException {
    @Nullable String[] texts = new String[count(1)];
    for (int i = 0; i < texts.length; i++) {
      int tag = in.oneByte();
      switch (tag) {
        case Tag.NULL -> {}
        case Tag.TEXT -> texts[i] = characters();
        default -> throw in.damaged("kind of value in an array of strings=" + tag);
      }
    }
    return texts;
  }

  private Object array() throws DamagedFileException {
    char type = (char) in.oneByte();
    if (type == 'Z') {
      return booleans();
    }
    Class<?> element =
        switch (type) {
          case 'B' -> byte.class;
          case 'S' -> short.class;
          case 'C' -> char.class;
          case 'I' -> int.class;
          case 'F' -> float.class;
          case 'J' -> long.class;
          case 'D' -> double.class;
          default -> throw in.damaged("type of an array=" + (int) type + ", expected: ZBSCIFJD");
        };
    int bytes = ClassShape.elementBytes(type);
    int length = count(bytes);
    Object array = Array.newInstance(element, length);
    in.elements(array, 0, length, bytes);
    return array;
  }

  private boolean[] booleans() throws DamagedFileException {
    int length = in.varint("elements", (int) Math.min(1 << 30, Byte.SIZE * in.left()));
    byte[] packed = new byte[count(1)];
    in.elements(packed, 0, packed.length, 1);
    if (packed.length != length + Byte.SIZE - 1 >> 3) {
      throw in.damaged("booleans=%s, bytes=%s".formatted(length, packed.length));
    }
    boolean[] values = new boolean[length];
    for (int i = 0; i < length; i++) {
      values[i] = (packed[i >> 3] >> (i & 7) & 1) != 0;
    }
    return values;
  }

  private ClassPlan plan(Kind kind) throws DamagedFileException {
    int id = in.varint("class", plans.size());
    if (id == plans.size()) {
      in.varint("tag of a class", Format.CLASS_TAG);
      plans.add(ClassPlan.of(in.classEntry(), declared));
    }
    ClassPlan plan = plans.get(id);
    if (plan.misfit() != null) {
      throw new IllegalArgumentException("events in the journal: " + plan.misfit());
    }
    if (plan.shape() == null) { // nothing is damaged: nobody is to cut the segment
      throw new IllegalArgumentException(
          "events in the journal have instances of class %s, which is not declared; name it in JournalSettings.withClasses, by its new name with @FormerName"
              .formatted(plan.entry().name()));
    }
    if (plan.entry().kind() != kind) {
      throw in.damaged(
          "class %s is stored as %s, here it is %s"
              .formatted(plan.entry().name(), plan.entry().kind(), kind));
    }
    return plan;
  }

  private Object constant() throws DamagedFileException {
    ClassPlan plan = plan(Kind.ENUM);
    return plan.constant(characters());
  }

  @SuppressWarnings("NullAway") // the plan has a shape
  private Object record(int depth) throws DamagedFileException {
    if (depth > Tag.MAX_DEPTH) {
      throw in.damaged("records are nested deeper than " + Tag.MAX_DEPTH);
    }
    ClassPlan plan = plan(Kind.RECORD);
    ClassShape shape = plan.shape();
    // A component that was added since is zero or null.
    long[] bits = new long[shape.fields().size()];
    @Nullable Object[] references = new Object[bits.length];
    for (int i = 0; i < plan.targets().length; i++) {
      char type = plan.entry().fields().get(i).type();
      long word = type == 'L' ? 0 : in.primitive(type);
      Object value = type == 'L' ? value(depth) : null;
      int target = plan.targets()[i];
      if (target >= 0) {
        bits[target] = plan.widened(i, word);
        references[target] = fitting(value, shape.fields().get(target));
      }
    }
    return shape.access().make(bits, references);
  }

  /** A boxed number has its own width again. */
  private static @Nullable Object fitting(@Nullable Object value, StoredField component) {
    Class<?> type = component.field().getType();
    return switch (value) {
      case Long number when type == Integer.class -> number.intValue();
      case Long number when type == Short.class -> number.shortValue();
      case Long number when type == Byte.class -> number.byteValue();
      case Double number when type == Float.class -> number.floatValue();
      case null, default -> value;
    };
  }
}
