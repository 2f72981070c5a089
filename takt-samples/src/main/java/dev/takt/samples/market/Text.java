package dev.takt.samples.market;

/**
 * Compares bytes with texts, and shows bytes of unknown content in a message: short, on one line,
 * without control characters.
 */
final class Text {
  private static final int MAX_SHOWN = 24;

  private Text() {}

  /** Whether bytes are those of a text in ASCII. */
  static boolean is(String text, byte[] bytes, int from, int to) {
    boolean same = to - from == text.length();
    for (int i = 0; same && i < text.length(); i++) {
      same = bytes[from + i] == text.charAt(i);
    }
    return same;
  }

  static String quote(byte[] bytes, int from, int to) {
    StringBuilder text = new StringBuilder("\"");
    int end = Math.min(to, from + MAX_SHOWN);
    for (int at = from; at < end; at++) {
      append(text, bytes[at]);
    }
    return text.append(end < to ? "...\"" : "\"").toString();
  }

  static String quote(byte b) {
    StringBuilder text = new StringBuilder("'");
    append(text, b);
    return text.append('\'').toString();
  }

  private static void append(StringBuilder text, byte b) {
    if (b >= 0x20 && b < 0x7F) {
      text.append((char) b);
    } else {
      text.append(String.format("\\x%02x", b));
    }
  }
}
