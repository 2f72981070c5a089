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

  /**
   * Returns it as a number of floating point.
   *
   * @throws JsonException if it is beyond those of 64 bits
   */
  public double asDouble() throws JsonException {
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw beyond(Double.SIZE);
    }
    return value;
  }

  /**
   * Returns it as a short number of floating point.
   *
   * @throws JsonException if it is beyond those of 32 bits
   */
  public float asFloat() throws JsonException {
    float value = Float.parseFloat(text);
    if (Float.isInfinite(value)) {
      throw beyond(Float.SIZE);
    }
    return value;
  }

  private JsonException beyond(int bits) {
    return new JsonException(
        "number", text, "one of %s bits; infinity is {\"$number\":\"Infinity\"}".formatted(bits));
  }

  @Override
  public String toString() {
    return text;
  }
}
