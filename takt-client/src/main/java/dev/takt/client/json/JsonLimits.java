package dev.takt.client.json;

import dev.takt.client.internal.Bounds;

/**
 * What of JSON is read. The length of a text is its carrier's limit.
 *
 * @param maxDepth how deep objects and arrays are nested, from 1 to 256
 * @param maxDigits how many characters a number has, from 20 to 10,000: what it takes to read one
 *     grows with their square
 */
public record JsonLimits(int maxDepth, int maxDigits) {
  /** Nested 16 deep, numbers of 1,000 characters. */
  public static final JsonLimits DEFAULTS = new JsonLimits(16, 1_000);

  /** Checks each limit. */
  public JsonLimits {
    Bounds.check("maxDepth", maxDepth, 1, 256);
    Bounds.check("maxDigits", maxDigits, 20, 10_000);
  }
}
