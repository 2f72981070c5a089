package dev.takt.client.json;

import dev.takt.space.Event;
import dev.takt.space.EventParts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Base64;
import java.util.UUID;

/**
 * Writes events and templates as JSON on one line; see the page of the package.
 *
 * <p><b>Guarantees:</b> what {@link EventJson} reads is what was written. A value that has no place
 * in JSON is an {@link IllegalArgumentException}.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class JsonWriter {
  /** The largest integer up to which a JavaScript number has all. */
  private static final long MAX_PLAIN = 1L << 53;

  private static final int MAX_DECIMAL_BITS = 3_000;

  private final StringBuilder out;

  /** Makes one that appends to what is there. */
  public JsonWriter(StringBuilder out) {
    this.out = out;
  }

  /** Appends an event. */
  public void event(Event event) {
    EventParts.give(event, begin(event));
    out.append('}');
  }

  /** Appends a template, or an event as one. */
  public void template(Event template) {
    EventParts.giveTemplate(template, begin(template));
    out.append('}');
  }

  private Values begin(Event event) {
    out.append('{');
    return new Values(event);
  }

  /**
   * Appends a text in quotation marks.
   *
   * @throws IllegalArgumentException if it has half of a surrogate pair
   */
  public void text(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ' || c == 0x7F) {
            out.append("\\u00").append(Character.forDigit(c >> 4, 16));
            out.append(Character.forDigit(c & 0xF, 16));
          } else if (Character.isSurrogate(c)) {
            pair(text, i++);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private void pair(String text, int at) {
    int c = text.codePointAt(at);
    if (c < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
      throw new IllegalArgumentException(
          "half of a surrogate pair has no place in JSON: character %s of a text of %s"
              .formatted(at, text.length()));
    }
    out.appendCodePoint(c);
  }

  /** Appends an integer. */
  public void integer(long value) {
    if (value >= -MAX_PLAIN && value <= MAX_PLAIN) {
      out.append(value);
    } else {
      tagged("$integer", Long.toString(value));
    }
  }

  /** Appends a floating point number. */
  public void floating(double value) {
    if (Double.isFinite(value)) {
      out.append(value);
    } else {
      tagged("$number", Double.toString(value));
    }
  }

  private void open(String tag) {
    out.append("{\"").append(tag).append("\":");
  }

  private void tagged(String tag, String value) {
    open(tag);
    text(value);
    out.append('}');
  }

  /** Puts the values of one event, each behind its key. */
  private final class Values implements EventParts.TemplateSink {
    private final Event event;
    private int next;

    /** How many conditions of the key are to come. */
    private int conditions;

    private boolean isListed;
    private boolean isExcluded;

    Values(Event event) {
      this.event = event;
    }

    /** Puts the key, unless the value belongs to a condition. */
    private void begin() {
      if (isExcluded) {
        return;
      }
      if (next > 0) {
        out.append(',');
      }
      JsonWriter.this.text(event.keys().get(next++));
      out.append(':');
    }

    private void end() {
      if (isExcluded) {
        isExcluded = false;
        endCondition();
      }
    }

    @Override
    public void integer(long value) {
      begin();
      JsonWriter.this.integer(value);
      end();
    }

    @Override
    public void floating(double value) {
      begin();
      JsonWriter.this.floating(value);
      end();
    }

    @Override
    public void bool(boolean value) {
      begin();
      out.append(value);
      end();
    }

    @Override
    public void text(String value) {
      begin();
      JsonWriter.this.text(value);
      end();
    }

    @Override
    public void other(Object value) {
      begin();
      object(value);
      end();
    }

    @Override
    public void wildcard() {
      begin();
      out.append("{\"$any\":true}");
    }

    @Override
    public void conditions(int count) {
      begin();
      conditions = count;
      isListed = count > 1;
      if (isListed) {
        out.append("{\"$all\":[");
      }
    }

    private void endCondition() {
      out.append('}');
      conditions--;
      if (isListed) {
        out.append(conditions > 0 ? "," : "]}");
      }
    }

    @Override
    public void atLeast(long min) {
      open("$atLeast");
      JsonWriter.this.integer(min);
      endCondition();
    }

    @Override
    public void atMost(long max) {
      open("$atMost");
      JsonWriter.this.integer(max);
      endCondition();
    }

    @Override
    public void between(long min, long max) {
      open("$between");
      out.append('[');
      JsonWriter.this.integer(min);
      out.append(',');
      JsonWriter.this.integer(max);
      out.append(']');
      endCondition();
    }

    @Override
    public void between(double min, double max) {
      open("$between");
      out.append('[');
      JsonWriter.this.floating(min);
      out.append(',');
      JsonWriter.this.floating(max);
      out.append(']');
      endCondition();
    }

    @Override
    public void not() {
      open("$not");
      isExcluded = true;
    }

    private void iso(String tag, Object value) {
      tagged(tag, value.toString());
    }

    private void object(Object value) {
      switch (value) {
        case String[] texts -> texts(texts);
        case Character letter -> character(letter);
        case BigInteger whole -> {
          open("$bigInteger");
          JsonWriter.this.text(digits(whole));
          out.append('}');
        }
        case BigDecimal decimal -> decimal(decimal);
        case UUID id -> iso("$uuid", id);
        case Instant at -> iso("$instant", at);
        case Duration time -> iso("$duration", time);
        case LocalDate date -> iso("$date", date);
        case LocalTime time -> iso("$time", time);
        case LocalDateTime at -> iso("$dateTime", at);
        default -> array(value);
      }
    }

    private void array(Object array) {
      String tag = JsonArrays.tag(array);
      if (tag == null) {
        throw new IllegalArgumentException(
            "a value of class %s has no place in JSON: it is code of one process; send its parts as keys of their own"
                .formatted(array.getClass().getName()));
      }
      open(tag);
      if (array instanceof byte[] bytes) {
        JsonWriter.this.text(Base64.getEncoder().encodeToString(bytes));
      } else {
        JsonArrays.write(array, JsonWriter.this, out);
      }
      out.append('}');
    }
  }

  private void texts(String[] texts) {
    out.append('[');
    for (int i = 0; i < texts.length; i++) {
      if (i > 0) {
        out.append(',');
      }
      if (texts[i] == null) {
        out.append("null");
      } else {
        text(texts[i]);
      }
    }
    out.append(']');
  }

  /** A character by its number, if it is half of a surrogate pair. */
  private void character(char letter) {
    if (Character.isSurrogate(letter)) {
      open("$character");
      out.append((int) letter).append('}');
    } else {
      tagged("$character", String.valueOf(letter));
    }
  }

  private void decimal(BigDecimal decimal) {
    if (decimal.unscaledValue().bitLength() <= MAX_DECIMAL_BITS) {
      tagged("$bigDecimal", decimal.toString());
    } else {
      open("$bigDecimal");
      out.append('[');
      text(digits(decimal.unscaledValue()));
      out.append(',').append(decimal.scale()).append("]}");
    }
  }

  /** Decimal digits, or for very many hexadecimal ones, which can be read in linear time. */
  private static String digits(BigInteger value) {
    if (value.bitLength() <= MAX_DECIMAL_BITS) {
      return value.toString();
    }
    return (value.signum() < 0 ? "-0x" : "0x") + value.abs().toString(16);
  }
}
