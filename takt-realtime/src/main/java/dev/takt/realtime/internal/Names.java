package dev.takt.realtime.internal;

/** Names that people read on a terminal and in a log. */
public final class Names {
  private Names() {}

  /**
   * Returns the name.
   *
   * @param what it is the name of
   * @throws IllegalArgumentException if it is blank, or has characters that {@linkplain #isShown
   *     are not shown}: they would end a line of a log, or move a terminal's cursor
   */
  public static String check(String what, String name) {
    if (name.isBlank() || !name.codePoints().allMatch(Names::isShown)) {
      throw new IllegalArgumentException(
          "the name of %s is \"%s\" (expected: not blank, without control characters)"
              .formatted(what, shown(name)));
    }
    return name;
  }

  /** Returns a text that a terminal may show: what is not shown is a "?". */
  public static String shown(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(each -> shown.appendCodePoint(isShown(each) ? each : '?'));
    return shown.toString();
  }

  /** Returns whether a character is shown as it is, and neither obeyed nor hides others. */
  public static boolean isShown(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
