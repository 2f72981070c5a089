package dev.takt.client.json;

/**
 * A number as it was written, so that none of its digits is lost.
 *
 * @param text what JSON has for a number
 */
public record JsonNumber(String text) {
  /** Returns whether it has neither a fraction nor an exponent. */
  public boolean isInteger() {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' || c == 'e' || c == 'E') {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns it as an integer.
   *
   * @throws JsonException if it is none of 64 bits
   */
  public long asLong() throws JsonException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new JsonException(
          "integer", text, "one of 64 bits; write {\"$bigInteger\":\"...\"} for a larger one");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
