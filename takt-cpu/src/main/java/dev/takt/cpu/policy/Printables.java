package dev.takt.cpu.policy;

import dev.takt.realtime.internal.Names;

/** Text from outside, as messages may show it: without control characters, and not too long. */
final class Printables {
  private static final int MAX_CHARACTERS = 120;

  private Printables() {}

  static String of(String text) {
    return of(text, MAX_CHARACTERS);
  }

  static String of(String text, int maxCharacters) {
    return text.length() <= maxCharacters
        ? Names.shown(text)
        : Names.shown(text.substring(0, maxCharacters)) + "...";
  }
}
