package dev.takt.samples.fix;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;

/** Writes messages and their values, and reads values that are no plain numbers. */
final class FixText {
  /** How many decimal places a price has as a scaled integer. */
  static final int PLACES = 4;

  static final long SCALE = 10_000;

  /** The first price that is too large: 10,000,000. */
  static final long PRICE_LIMIT = 10_000_000 * SCALE;

  private static final char SOH = '\001';
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuuMMdd-HH:mm:ss.SSS").withResolverStyle(ResolverStyle.STRICT);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuuMMdd-HH:mm:ss").withResolverStyle(ResolverStyle.STRICT);

  private FixText() {}

  /** Returns a field with its end. */
  static String field(int tag, Object value) {
    return tag + "=" + value + SOH;
  }

  /** Returns a field whose value may be longer than it should, or hold what ends fields. */
  static String text(int tag, String value) {
    return field(tag, clean(value));
  }

  /** Returns what another has sent as it may stand in a line for people. */
  static String clean(String value) {
    String short200 = value.length() > 200 ? value.substring(0, 200) : value;
    return short200.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Returns a message with BodyLength and CheckSum.
   *
   * @param begin BeginString
   * @param fields all others, in their order, each with its end
   */
  static byte[] message(String begin, String fields) {
    byte[] body = fields.getBytes(StandardCharsets.ISO_8859_1);
    byte[] head = (field(8, begin) + field(9, body.length)).getBytes(StandardCharsets.ISO_8859_1);
    byte[] message = new byte[head.length + body.length + 7];
    System.arraycopy(head, 0, message, 0, head.length);
    System.arraycopy(body, 0, message, head.length, body.length);
    int sum = 0;
    for (int i = 0; i < head.length + body.length; i++) {
      sum += message[i];
    }
    byte[] trailer = "10=%03d\001".formatted(sum & 0xFF).getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(trailer, 0, message, head.length + body.length, trailer.length);
    return message;
  }

  static String time(Instant instant) {
    return MILLIS.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
  }

  /** Returns a UTCTimestamp, with milliseconds or without, or null if it is none. */
  static Instant time(String text) {
    if (text == null) {
      return null;
    }
    try {
      DateTimeFormatter format = text.indexOf('.') < 0 ? SECONDS : MILLIS;
      return LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException _) {
      return null;
    }
  }

  /** Returns a decimal number above 0 and below {@link #PRICE_LIMIT}, scaled; -1 if it is none. */
  static long price(String text) {
    if (!text.matches("\\d{1,9}(\\.\\d{0,12})?")) {
      return -1;
    }
    int point = text.indexOf('.');
    String places = point < 0 ? "" : text.substring(point + 1).replaceAll("0+$", "");
    if (places.length() > PLACES) {
      return -1;
    }
    String whole = point < 0 ? text : text.substring(0, point);
    long scaled = Long.parseLong(whole + places + "0".repeat(PLACES - places.length()));
    return scaled > 0 && scaled < PRICE_LIMIT ? scaled : -1;
  }

  static String price(long scaled) {
    return "%d.%04d".formatted(scaled / SCALE, scaled % SCALE);
  }
}
