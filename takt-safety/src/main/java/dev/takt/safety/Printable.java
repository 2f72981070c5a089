package dev.takt.safety;

import java.util.HexFormat;

/**
 * Text from outside, such as the names in class files and of files, made fit for a terminal: what
 * would move the cursor, change a colour, end a line or turn the direction of writing is shown as
 * {@code \\u001b}.
 */
public final class Printable {
  private Printable() {}

  /** Returns the text with all that cannot be seen but the space written as numbers. */
  public static String of(String text) {
    StringBuilder safe = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isHidden(text, i)) {
        if (safe == null) {
          safe = new StringBuilder(text.substring(0, i));
        }
        safe.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else if (safe != null) {
        safe.append(c);
      }
    }
    return safe == null ? text : safe.toString();
  }

  private static boolean isHidden(String text, int index) {
    char c = text.charAt(index);
    if (Character.isHighSurrogate(c)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
