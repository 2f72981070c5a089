package dev.takt.persist.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Values of primitives as they lie in a record. What puts one at a place returns the place behind
 * it.
 *
 * <p>A long of variable length has seven bits in a byte, the lowest first, and 1 as the upper bit
 * of all bytes but the last. Up to eight bytes are made at once, without a loop whose end no
 * processor can foresee: the bits are moved to their bytes by halves, and what is behind the value
 * is overwritten by what comes next.
 */
public final class Primitives {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long CONTINUED = 0x8080_8080_8080_8080L;

  private static final long BITS = ~CONTINUED;

  /** How many bits eight bytes hold. */
  private static final int MOST_BITS = 56;

  /** How far the number of a {@link #reference} is shifted, beyond its length. */
  public static final int REFERENCE_SHIFT = 4;

  /** The bits that say how many bytes it takes. */
  public static final int REFERENCE_LENGTH = (1 << REFERENCE_SHIFT) - 1;

  private Primitives() {}

  /** Puts the low byte of a value. */
  public static int oneByte(byte[] to, int at, int value) {
    to[at] = (byte) value;
    return at + 1;
  }

  /** Puts four bytes. */
  public static int fourBytes(byte[] to, int at, int value) {
    INT.set(to, at, value);
    return at + Integer.BYTES;
  }

  /** Puts eight bytes. */
  public static int eightBytes(byte[] to, int at, long value) {
    LONG.set(to, at, value);
    return at + Long.BYTES;
  }

  /** Puts a long that is most often small, negative or not. */
  public static int zigzag(byte[] to, int at, long value) {
    return varlong(to, at, value << 1 ^ value >> Long.SIZE - 1);
  }

  /** Puts a long, taken as unsigned, in 1 to 10 bytes; up to 8 from the place on may change. */
  public static int varlong(byte[] to, int at, long value) {
    if ((value & ~0x7fL) == 0) {
      to[at] = (byte) value;
      return at + 1;
    }
    if (value >>> MOST_BITS != 0 || to.length - at < Long.BYTES) {
      return bytewise(to, at, value);
    }
    long bytes = spread(value);
    int more = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes) >> 3;
    LONG.set(to, at, bytes | CONTINUED & (1L << Byte.SIZE * more) - 1);
    return at + more + 1;
  }

  private static int bytewise(byte[] to, int from, long value) {
    int at = from;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      to[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[at++] = (byte) rest;
    return at;
  }

  /** Moves each seven bits into a byte of their own. */
  private static long spread(long value) {
    long halves = value & 0x0fff_ffffL | (value & 0x00ff_ffff_f000_0000L) << 4;
    long quarters = halves & 0x0000_3fff_0000_3fffL | (halves & 0x0fff_c000_0fff_c000L) << 2;
    return quarters & 0x007f_007f_007f_007fL | (quarters & 0x3f80_3f80_3f80_3f80L) << 1;
  }

  // ---- back

  /**
   * Returns how many bytes a long of variable length takes at a place from which on eight can be
   * read; 0: more than eight.
   */
  public static int length(byte[] from, int at) {
    long ends = ~(long) LONG.get(from, at) & CONTINUED;
    return ends == 0 ? 0 : (Long.numberOfTrailingZeros(ends) >> 3) + 1;
  }

  /** Returns a long that takes as many bytes, 1 to 8. */
  public static long varlong(byte[] from, int at, int length) {
    long bytes = (long) LONG.get(from, at) & BITS >>> Long.SIZE - Byte.SIZE * length;
    long pairs = bytes & 0x007f_007f_007f_007fL | (bytes & 0x7f00_7f00_7f00_7f00L) >>> 1;
    long quads = pairs & 0x0000_3fff_0000_3fffL | (pairs & 0x3fff_0000_3fff_0000L) >>> 2;
    return quads & 0x0fff_ffffL | (quads & 0x0fff_ffff_0000_0000L) >>> 4;
  }

  /**
   * Returns what is there for a reference, from a place on from which eight bytes can be read: the
   * number, shifted by {@link #REFERENCE_SHIFT}, and below it how many bytes that takes; 0: it is
   * no int. Most take one byte.
   */
  public static long reference(byte[] from, int at) {
    if (from[at] >= 0) {
      return (long) from[at] << REFERENCE_SHIFT | 1;
    }
    int length = length(from, at);
    long number = length == 0 ? -1 : varlong(from, at, length);
    return number < 0 || number > Integer.MAX_VALUE ? 0 : number << REFERENCE_SHIFT | length;
  }

  /** Returns a long that {@link #zigzag(byte[], int, long)} has put in as many bytes, 1 to 8. */
  public static long zigzag(byte[] from, int at, int length) {
    return unzigzag(varlong(from, at, length));
  }

  /** Returns the value of which zigzag has made another. */
  static long unzigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }

  /** Returns four bytes. */
  public static int fourBytes(byte[] from, int at) {
    return (int) INT.get(from, at);
  }

  /** Returns eight bytes. */
  public static long eightBytes(byte[] from, int at) {
    return (long) LONG.get(from, at);
  }
}
