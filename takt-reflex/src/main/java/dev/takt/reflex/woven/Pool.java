package dev.takt.reflex.woven;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Objects of one class, or arrays of one type and length, that are given one after the other and
 * all taken back at once when the epoch changes: a pool finds out by itself, at its next use.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class Pool {
  private static final Object[] NONE = {};

  private final Supplier<Object> maker;

  /** What one object is, for messages. */
  final Supplier<String> name;

  /** What one object counts. */
  final int sizeBytes;

  /** All of them there. */
  Object[] objects = NONE;

  /** How many were given in {@link #epoch}. */
  int used;

  long epoch;

  Pool(Supplier<Object> maker, Supplier<String> name, int sizeBytes) {
    this.maker = maker;
    this.name = name;
    this.sizeBytes = sizeBytes;
  }

  /** Makes objects until there are so many. */
  void fill(int count) {
    int from = objects.length;
    if (from < count) {
      Object[] more = Arrays.copyOf(objects, count);
      for (int i = from; i < count; i++) {
        more[i] = maker.get();
      }
      objects = more;
    }
  }

  /**
   * Abandons what was given in an epoch: others take its place, at once or when they are needed.
   */
  void giveAway(long epoch) {
    if (this.epoch != epoch) {
      return;
    }
    try {
      for (int i = 0; i < used; i++) {
        objects[i] = maker.get();
      }
    } catch (StackOverflowError | OutOfMemoryError e) {
      objects = NONE;
      used = 0;
    }
  }

  /** Gives an object, making some more if need be. */
  Object next(long epoch) {
    if (this.epoch != epoch) {
      this.epoch = epoch;
      used = 0;
    }
    if (used == objects.length) {
      fill(used + 1 + used / 4);
    }
    return objects[used++];
  }
}
