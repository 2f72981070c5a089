package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The ordered accesses to the shared arrays, each named by its order: every access that is not in
 * this class is plain.
 */
final class OrderedAccess {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private OrderedAccess() {}

  /** Returns the handle of a class's own field; for static initializers. */
  static VarHandle field(MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
    try {
      return lookup.findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static long getAcquire(long[] array, int index) {
    return (long) LONGS.getAcquire(array, index);
  }

  static long getVolatile(long[] array, int index) {
    return (long) LONGS.getVolatile(array, index);
  }

  static long getOpaque(long[] array, int index) {
    return (long) LONGS.getOpaque(array, index);
  }

  static void setOpaque(long[] array, int index, long value) {
    LONGS.setOpaque(array, index, value);
  }

  static void setRelease(long[] array, int index, long value) {
    LONGS.setRelease(array, index, value);
  }

  static void setVolatile(long[] array, int index, long value) {
    LONGS.setVolatile(array, index, value);
  }

  static boolean compareAndSet(long[] array, int index, long expected, long value) {
    return LONGS.compareAndSet(array, index, expected, value);
  }

  static long getAndAdd(long[] array, int index, long delta) {
    return (long) LONGS.getAndAdd(array, index, delta);
  }

  static int getVolatile(int[] array, int index) {
    return (int) INTS.getVolatile(array, index);
  }

  static int getAndAdd(int[] array, int index, int delta) {
    return (int) INTS.getAndAdd(array, index, delta);
  }

  static boolean compareAndSet(int[] array, int index, int expected, int value) {
    return INTS.compareAndSet(array, index, expected, value);
  }

  static void setRelease(int[] array, int index, int value) {
    INTS.setRelease(array, index, value);
  }

  /** Orders a guard's publication before the look that follows it. */
  static void fullFence() {
    VarHandle.fullFence();
  }

  /** Orders reads of a slot's content before the read that validates them. */
  static void loadLoadFence() {
    VarHandle.loadLoadFence();
  }

  /** Orders the retirement of a slot's generation before its new content. */
  static void storeStoreFence() {
    VarHandle.storeStoreFence();
  }

  /**
   * A cheap mix of 64 bits: both halves of the product of 128 bits count, so that the upper input
   * bits reach the lower output bits, too.
   */
  static long hashStep(long h) {
    return hashStep(h, 0x9E37_79B9_7F4A_7C15L);
  }

  /**
   * The same with a factor of the caller's, which should have about as many ones as zeros and be
   * odd.
   */
  static long hashStep(long h, long factor) {
    long both = h * factor ^ Math.unsignedMultiplyHigh(h, factor);
    return both ^ both >>> 32;
  }

  /** A finaliser of 64 bits to 64 bits in which every input bit reaches every output bit. */
  static long mix64(long h) {
    h ^= h >>> 32;
    h *= 0xD6E8_FEB8_6659_FD93L;
    h ^= h >>> 32;
    h *= 0xD6E8_FEB8_6659_FD93L;
    return h ^ h >>> 32;
  }
}
