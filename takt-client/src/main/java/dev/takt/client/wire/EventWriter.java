package dev.takt.client.wire;

import dev.takt.space.Event;
import dev.takt.space.EventParts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;

/**
 * Puts events and templates, and the keys of each sequence once; see {@link KeyNumbers}. Numbers,
 * booleans and strings allocate nothing.
 */
final class EventWriter implements EventParts.TemplateSink {
  private final ByteOutput out;
  private final KeyNumbers numbers;
  private Event subject = new Event();

  /** The place of the key whose value comes next. */
  private int next;

  EventWriter(ByteOutput out, KeyNumbers numbers) {
    this.out = out;
    this.numbers = numbers;
  }

  void event(Event event) {
    begin(event);
    EventParts.give(event, this);
  }

  void template(Event template) {
    begin(template);
    EventParts.giveTemplate(template, this);
  }

  private void begin(Event event) {
    subject = event;
    next = 0;
    int shape = EventParts.shape(event);
    int number = numbers.find(shape);
    if (number != KeyNumbers.NONE) {
      out.u16(number);
      return;
    }
    number = numbers.give(shape);
    out.u16(number == KeyNumbers.NONE ? WireFormat.NO_NUMBER : WireFormat.GIVEN | number);
    out.u8(event.size());
    for (int i = 0; i < event.size(); i++) { // an iterator would be garbage
      out.key(event.keys().get(i));
    }
  }

  private void tag(int tag) {
    next++;
    out.u8(tag);
  }

  @Override
  public void integer(long value) {
    next++;
    out.integer(value);
  }

  @Override
  public void floating(double value) {
    next++;
    out.tagged(WireFormat.FLOATING, Double.doubleToLongBits(value));
  }

  @Override
  public void bool(boolean value) {
    tag(value ? WireFormat.TRUE : WireFormat.FALSE);
  }

  @Override
  public void text(String value) {
    tag(WireFormat.TEXT);
    out.text(value);
  }

  // ---- what a template asks for

  @Override
  public void wildcard() {
    tag(WireFormat.ANY);
  }

  @Override
  public void conditions(int count) {
    if (count > WireFormat.MAX_CONDITIONS) {
      throw new IllegalArgumentException(
          "too many conditions on one key of a message: conditions=%s, limit=%s; ask more than once"
              .formatted(count, WireFormat.MAX_CONDITIONS));
    }
    tag(WireFormat.CONDITIONS);
    out.u8(count);
  }

  @Override
  public void atLeast(long min) {
    out.tagged(WireFormat.AT_LEAST, min);
  }

  @Override
  public void atMost(long max) {
    out.tagged(WireFormat.AT_MOST, max);
  }

  @Override
  public void between(long min, long max) {
    out.tagged(WireFormat.BETWEEN_INTEGERS, min);
    out.i64(max);
  }

  @Override
  public void between(double min, double max) {
    out.tagged(WireFormat.BETWEEN_NUMBERS, Double.doubleToLongBits(min));
    out.i64(Double.doubleToLongBits(max));
  }

  @Override
  public void not() {
    out.u8(WireFormat.NOT);
    next--; // what is excluded comes as a value, but is no key's
  }

  // ---- what is an object

  @Override
  public void other(Object value) {
    switch (value) {
      case String[] texts -> texts(texts);
      case Character letter -> {
        tag(WireFormat.CHARACTER);
        out.u16(letter);
      }
      case BigInteger whole -> {
        tag(WireFormat.BIG_INTEGER);
        big(whole);
      }
      case BigDecimal decimal -> {
        tag(WireFormat.BIG_DECIMAL);
        out.i32(decimal.scale());
        big(decimal.unscaledValue());
      }
      case UUID id -> {
        tag(WireFormat.UUID);
        out.i64(id.getMostSignificantBits());
        out.i64(id.getLeastSignificantBits());
      }
      default -> timeOrArray(value);
    }
  }

  private void timeOrArray(Object value) {
    switch (value) {
      case Instant at -> {
        tag(WireFormat.INSTANT);
        out.i64(at.getEpochSecond());
        out.i32(at.getNano());
      }
      case Duration time -> {
        tag(WireFormat.DURATION);
        out.i64(time.getSeconds());
        out.i32(time.getNano());
      }
      case LocalDate date -> {
        tag(WireFormat.DATE);
        out.i64(date.toEpochDay());
      }
      case LocalTime time -> {
        tag(WireFormat.TIME);
        out.i64(time.toNanoOfDay());
      }
      case LocalDateTime at -> {
        tag(WireFormat.DATE_TIME);
        out.i64(at.toLocalDate().toEpochDay());
        out.i64(at.toLocalTime().toNanoOfDay());
      }
      default -> array(value);
    }
  }

  private void big(BigInteger value) {
    byte[] bytes = value.toByteArray();
    out.i32(bytes.length);
    out.raw(bytes);
  }

  private void texts(String[] texts) {
    tag(WireFormat.TEXTS);
    out.i32(texts.length);
    for (String text : texts) {
      out.u8(text == null ? 0 : 1);
      if (text != null) {
        out.text(text);
      }
    }
  }

  private void array(Object array) {
    Class<?> element = array.getClass().getComponentType();
    if (element == null) {
      throw new IllegalArgumentException(
          "a value of class %s cannot be sent (key=%s): it is code of this process; send its parts as keys of their own"
              .formatted(array.getClass().getName(), subject.keys().get(next)));
    }
    tag(WireFormat.ARRAY);
    out.u8(element.descriptorString().charAt(0));
    switch (array) {
      case byte[] values -> {
        out.i32(values.length);
        out.raw(values);
      }
      case short[] values -> {
        int at = elements(values.length, Short.BYTES);
        for (short each : values) {
          WireFormat.SHORT.set(out.bytes(), at, each);
          at += Short.BYTES;
        }
      }
      case char[] values -> {
        int at = elements(values.length, Character.BYTES);
        for (char each : values) {
          WireFormat.CHAR.set(out.bytes(), at, each);
          at += Character.BYTES;
        }
      }
      case boolean[] values -> {
        int at = elements(values.length, 1);
        for (boolean each : values) {
          out.bytes()[at++] = (byte) (each ? 1 : 0);
        }
      }
      default -> wideArray(array);
    }
  }

  private void wideArray(Object array) {
    switch (array) {
      case int[] values -> {
        int at = elements(values.length, Integer.BYTES);
        for (int each : values) {
          WireFormat.INT.set(out.bytes(), at, each);
          at += Integer.BYTES;
        }
      }
      case float[] values -> {
        int at = elements(values.length, Float.BYTES);
        for (float each : values) {
          WireFormat.FLOAT.set(out.bytes(), at, each);
          at += Float.BYTES;
        }
      }
      case long[] values -> {
        int at = elements(values.length, Long.BYTES);
        for (long each : values) {
          WireFormat.LONG.set(out.bytes(), at, each);
          at += Long.BYTES;
        }
      }
      case double[] values -> {
        int at = elements(values.length, Double.BYTES);
        for (double each : values) {
          WireFormat.DOUBLE.set(out.bytes(), at, each);
          at += Double.BYTES;
        }
      }
      default -> throw new IllegalArgumentException("not an array of primitives: " + array);
    }
  }

  private int elements(int count, int bytesEach) {
    out.i32(count);
    return out.elements(count, bytesEach);
  }
}
