package dev.takt.safety;

import java.util.HexFormat;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text from outside, such as the names in class files and of files, made fit for a terminal: what
 * would move the cursor, change a colour, end a line or turn the direction of writing is shown as
 * {@code \\u001b}.
 */
public final class Printable {
  /**
   * Control and format characters, separators of lines, and surrogates without their other half.
   */
  private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  private Printable() {}

  /** Returns the text with all that cannot be seen but the space written as numbers. */
  public static String of(String text) {
    return HIDDEN.matcher(text).replaceAll(Printable::numbers);
  }

  private static String numbers(MatchResult hidden) {
    return hidden
        .group()
        .chars()
        .mapToObj(each -> "\\\\u" + HexFormat.of().toHexDigits((char) each))
        .collect(Collectors.joining());
  }
}
