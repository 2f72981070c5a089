package dev.takt.client.wire;

import dev.takt.client.internal.Bounds;

/**
 * What one client may send, and what of it is kept.
 *
 * @param maxMessageBytes the largest message, from 256 to 16 MiB; a writer or reader has a buffer
 *     that grows up to it
 * @param maxKeys how many keys the sequences of keys of one client may have together: the space
 *     keeps some 250 bytes for each until its JVM ends, and has room for 65,536 of all clients. A
 *     client takes as many from its host, which sends what others have written
 * @param cachedTexts how many short strings a reader keeps, a power of two, so that those that come
 *     again and again allocate nothing; some 200 bytes each at most
 */
public record WireLimits(int maxMessageBytes, int maxKeys, int cachedTexts) {
  /** The smallest limit for messages. */
  public static final int LEAST_MESSAGE_BYTES = 256;

  /** The largest limit for messages. */
  public static final int MOST_MESSAGE_BYTES = 1 << 24;

  /** As many keys as a space has room for. */
  public static final int MOST_KEYS = 1 << 16;

  /** The longest key, in bytes of UTF-8. */
  public static final int MOST_KEY_BYTES = WireFormat.MAX_KEY_BYTES;

  /** The most conditions that a template may have on one key. */
  public static final int MOST_CONDITIONS = WireFormat.MAX_CONDITIONS;

  /** Messages of up to 64 KiB, 1,024 keys, 256 strings. */
  public static final WireLimits DEFAULTS = new WireLimits(1 << 16, 1 << 10, 1 << 8);

  /** Checks each limit. */
  public WireLimits {
    Bounds.check("maxMessageBytes", maxMessageBytes, LEAST_MESSAGE_BYTES, MOST_MESSAGE_BYTES);
    Bounds.check("maxKeys", maxKeys, 1, MOST_KEYS);
    Bounds.check("cachedTexts", cachedTexts, 1, 1 << 16);
    if (Integer.bitCount(cachedTexts) != 1) {
      throw new IllegalArgumentException(
          "cachedTexts=" + cachedTexts + " (expected: a power of two)");
    }
  }

  /** Returns these limits with another size for the largest message. */
  public WireLimits withMaxMessageBytes(int maxMessageBytes) {
    return new WireLimits(maxMessageBytes, maxKeys, cachedTexts);
  }

  /** Returns these limits with another number of keys. */
  public WireLimits withMaxKeys(int maxKeys) {
    return new WireLimits(maxMessageBytes, maxKeys, cachedTexts);
  }
}
