package dev.takt.persist.journal;

import dev.takt.persist.format.Elements;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.StoredField;
import dev.takt.space.Event;
import dev.takt.space.EventParts;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events into the records of one segment. Numbers, booleans and strings allocate nothing.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class EventOutput implements EventParts.Sink {
  private final RecordOutput out;

  /** The ids of shapes in this segment plus one, by their numbers in this process. */
  private int[] shapeIds = new int[64];

  private int shapeCount;
  private final Map<Class<?>, Integer> classIds = new HashMap<>();

  EventOutput(RecordOutput out) {
    this.out = out;
  }

  /** Puts the keys and values of an event; there is room for {@link EventParts#maxBytes}. */
  void put(Event event) {
    int shape = EventParts.shape(event);
    if (shape >= shapeIds.length) {
      shapeIds = Arrays.copyOf(shapeIds, 2 * shape);
    }
    int id = shapeIds[shape] - 1;
    if (id >= 0) {
      out.varint(id);
    } else {
      out.varint(shapeCount);
      List<String> keys = event.keys();
      out.varint(keys.size());
      for (String key : keys) {
        out.characters(key, 0, key.length());
      }
      shapeCount++;
      shapeIds[shape] = shapeCount;
    }
    EventParts.give(event, this);
  }

  @Override
  public void integer(long value) {
    out.oneByte(Tag.INTEGER);
    out.zigzag(value);
  }

  @Override
  public void floating(double value) {
    out.oneByte(Tag.FLOATING);
    out.eightBytes(Double.doubleToRawLongBits(value));
  }

  @Override
  public void bool(boolean value) {
    out.oneByte(value ? Tag.TRUE : Tag.FALSE);
  }

  @Override
  public void text(String value) {
    out.oneByte(Tag.TEXT);
    out.characters(value, 0, value.length());
  }

  @Override
  public void other(Object value) {
    if (value instanceof String[] texts) {
      out.oneByte(Tag.STRINGS);
      out.varint(texts.length);
      for (String each : texts) {
        value(each);
      }
    } else if (value.getClass().isArray()) {
      array(value);
    } else if (value instanceof Record) {
      out.oneByte(Tag.RECORD);
      record(value);
    } else if (value instanceof Enum<?> constant) {
      out.oneByte(Tag.ENUM);
      type(constant.getDeclaringClass());
      out.characters(constant.name(), 0, constant.name().length());
    } else {
      constant(value);
    }
  }

  private void constant(Object value) {
    switch (value) {
      case Character letter -> number(Tag.CHARACTER, letter);
      case BigInteger whole -> big(Tag.BIG_INTEGER, whole);
      case BigDecimal decimal -> {
        big(Tag.BIG_DECIMAL, decimal.unscaledValue());
        out.zigzag(decimal.scale());
      }
      case UUID id -> {
        out.oneByte(Tag.UUID);
        out.eightBytes(id.getMostSignificantBits());
        out.eightBytes(id.getLeastSignificantBits());
      }
      case Instant at -> {
        number(Tag.INSTANT, at.getEpochSecond());
        out.zigzag(at.getNano());
      }
      case Duration time -> {
        number(Tag.DURATION, time.getSeconds());
        out.zigzag(time.getNano());
      }
      case LocalDate date -> number(Tag.DATE, date.toEpochDay());
      case LocalTime time -> number(Tag.TIME, time.toNanoOfDay());
      case LocalDateTime at -> {
        number(Tag.DATE_TIME, at.toLocalDate().toEpochDay());
        out.zigzag(at.toLocalTime().toNanoOfDay());
      }
      default ->
          throw new IllegalArgumentException(
              "class %s has no place in a journal".formatted(value.getClass().getName()));
    }
  }

  private void number(int tag, long value) {
    out.oneByte(tag);
    out.zigzag(value);
  }

  private void big(int tag, BigInteger value) {
    out.oneByte(tag);
    elements(value.toByteArray());
  }

  /** Puts what a record may hold. */
  private void value(@Nullable Object value) {
    switch (value) {
      case null -> out.oneByte(Tag.NULL);
      case String text -> text(text);
      case Boolean is -> bool(is);
      case Float number -> floating(number);
      case Double number -> floating(number);
      case Number number when isInteger(number) -> integer(number.longValue());
      default -> other(value);
    }
  }

  private static boolean isInteger(Number number) {
    return number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte;
  }

  private ClassShape type(Class<?> type) {
    ClassShape shape = ClassShapes.of(type);
    if (shape == null) {
      throw new IllegalArgumentException("class " + type.getName() + " cannot be stored");
    }
    Integer id = classIds.get(type);
    out.varint(id == null ? classIds.size() : id);
    if (id == null) {
      classIds.put(type, classIds.size());
      out.classEntry(shape.entry());
    }
    return shape;
  }

  private void record(Object value) {
    ClassShape shape = type(value.getClass());
    int count = shape.fields().size();
    long[] bits = new long[count];
    @Nullable Object[] references = new Object[count];
    shape.access().read(value, bits, references);
    for (int i = 0; i < count; i++) {
      StoredField component = shape.fields().get(i);
      if (component.isPrimitive()) {
        out.primitive(component.type(), bits[i]);
      } else {
        value(references[i]);
      }
    }
  }

  private void array(Object array) {
    out.oneByte(Tag.ARRAY);
    out.oneByte(array.getClass().getComponentType().descriptorString().charAt(0));
    if (array instanceof boolean[] values) {
      out.varint(values.length);
      elements(packed(values));
    } else {
      elements(array);
    }
  }

  /** Eight in a byte, the first one lowest. */
  private static byte[] packed(boolean[] values) {
    byte[] bytes = new byte[values.length + Byte.SIZE - 1 >> 3];
    for (int i = 0; i < values.length; i++) {
      bytes[i >> 3] |= (byte) ((values[i] ? 1 : 0) << (i & 7));
    }
    return bytes;
  }

  private void elements(Object array) {
    int count = Array.getLength(array);
    out.varint(count);
    Elements.copy(array, 0, out.segment(), out.position(), count);
    char type = array.getClass().getComponentType().descriptorString().charAt(0);
    out.advance(count * ClassShape.elementBytes(type));
  }
}
