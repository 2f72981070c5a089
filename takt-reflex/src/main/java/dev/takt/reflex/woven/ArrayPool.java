package dev.takt.reflex.woven;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of one kind: a pool for each length that was asked for.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> beside the arrays, 4 bytes for each length up to the longest so far.
 */
final class ArrayPool {
  final ArrayPools.Entry entry;
  @Nullable Pool[] byLength = {};

  ArrayPool(ArrayPools.Entry entry) {
    this.entry = entry;
  }

  /** Returns the pool of a length, made at its first use. */
  Pool pool(int length) {
    if (length >= byLength.length) {
      int more = Math.max(length + 1, Math.min(entry.maxLength() + 1, 2 * byLength.length));
      byLength = Arrays.copyOf(byLength, more);
    }
    Pool pool = byLength[length];
    if (pool == null) {
      pool = new Pool(() -> entry.make(length), () -> entry.name(length), entry.sizeBytes(length));
      byLength[length] = pool;
    }
    return pool;
  }

  /** Abandons what was given in an epoch. */
  void giveAway(long epoch) {
    for (Pool pool : byLength) {
      if (pool != null) {
        pool.giveAway(epoch);
      }
    }
  }

  /** Makes all elements zero, false or null. */
  static void clear(Object array) {
    switch (array) {
      case int[] a -> Arrays.fill(a, 0);
      case long[] a -> Arrays.fill(a, 0);
      case double[] a -> Arrays.fill(a, 0);
      case byte[] a -> Arrays.fill(a, (byte) 0);
      case Object[] a -> Arrays.fill(a, null);
      case boolean[] a -> Arrays.fill(a, false);
      case char[] a -> Arrays.fill(a, (char) 0);
      case short[] a -> Arrays.fill(a, (short) 0);
      case float[] a -> Arrays.fill(a, 0);
      default -> throw new IllegalArgumentException("not an array: " + array.getClass().getName());
    }
  }
}
