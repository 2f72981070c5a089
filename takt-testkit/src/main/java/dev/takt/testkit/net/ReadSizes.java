package dev.takt.testkit.net;

/**
 * How many bytes one read returns. A stream of bytes has no messages, so a protocol has to work
 * with every size.
 *
 * @param kind by which rule
 * @param bytes of {@link Kind#AT_MOST} the most that a read returns, of {@link Kind#SPLIT} after
 *     how many bytes of the connection the stream is cut; zero of the others
 */
public record ReadSizes(Kind kind, int bytes) {
  /** By which rule. */
  public enum Kind {
    /** All that has come, as far as the reader's array has room. */
    WHOLE,
    /** A random number of bytes, and what is written comes in random parts. */
    RANDOM,
    /** Never more than a number of bytes. */
    AT_MOST,
    /** All up to a place in the stream, and what is behind it comes later. */
    SPLIT
  }

  /** All that has come. */
  public static final ReadSizes WHOLE = new ReadSizes(Kind.WHOLE, 0);

  /** A random number of bytes, as the seed says. */
  public static final ReadSizes RANDOM = new ReadSizes(Kind.RANDOM, 0);

  /** Checks the number. */
  public ReadSizes {
    boolean counts = kind == Kind.AT_MOST || kind == Kind.SPLIT;
    if (counts ? bytes < 1 : bytes != 0) {
      throw new IllegalArgumentException(
          "bytes=%d of %s (expected: %s)".formatted(bytes, kind, counts ? "1 or more" : "0"));
    }
  }

  /** Never more than a number of bytes, 1 or more. */
  public static ReadSizes atMost(int bytes) {
    return new ReadSizes(Kind.AT_MOST, bytes);
  }

  /** All up to a place in each direction of a connection, 1 or more; what is behind comes later. */
  public static ReadSizes splitAfter(int bytes) {
    return new ReadSizes(Kind.SPLIT, bytes);
  }
}
