package dev.takt.cpu.monitor;

import java.util.Arrays;

/** Numbers in a line of text. */
final class Numbers {
  /** In place of a number: there is none. */
  static final long UNKNOWN = -1;

  private Numbers() {}

  /**
   * Returns the numbers that follow the first word; {@link #UNKNOWN} for one that is missing or no
   * number, and for all after it.
   *
   * @param count how many are returned
   */
  static long[] of(String line, int count) {
    long[] numbers = new long[count];
    Arrays.fill(numbers, UNKNOWN);
    int at = line.indexOf(' ');
    for (int i = 0; i < count && at >= 0; i++) {
      while (at < line.length() && line.charAt(at) == ' ') {
        at++;
      }
      int end = line.indexOf(' ', at);
      numbers[i] = parse(line.substring(at, end < 0 ? line.length() : end));
      at = numbers[i] == UNKNOWN ? -1 : end;
    }
    return numbers;
  }

  static long parse(String text) {
    try {
      return Math.max(UNKNOWN, Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
