package dev.takt.cpu.policy;

/** Text from outside, as messages may show it: without control characters, and not too long. */
final class Printables {
  private static final int MAX_CHARACTERS = 120;

  private Printables() {}

  static String of(String text) {
    return of(text, MAX_CHARACTERS);
  }

  static String of(String text, int maxCharacters) {
    StringBuilder shown = new StringBuilder();
    int end = Math.min(text.length(), maxCharacters);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      int type = Character.getType(c);
      boolean plain =
          type != Character.CONTROL
              && type != Character.FORMAT
              && type != Character.SURROGATE
              && type != Character.LINE_SEPARATOR
              && type != Character.PARAGRAPH_SEPARATOR
              && type != Character.UNASSIGNED
              && type != Character.PRIVATE_USE;
      shown.append(plain ? c : '?');
    }
    return end < text.length() ? shown.append("...").toString() : shown.toString();
  }
}
