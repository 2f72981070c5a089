package dev.takt.persist.cycle;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the releases of one task have changed since a cut: what the next incremental cycle writes.
 * An object that is restored by an abort is in it, too.
 *
 * <p><b>Errors.</b> It never throws: with more objects than the limit, or a full heap, it has
 * {@linkplain #isComplete lost} some, and the next cycle is a full one.
 *
 * <p><b>Thread rule:</b> the task's thread adds; when another sink has taken over from the one that
 * fills it ({@link dev.takt.reflex.woven.SinkGate#replace}), that of the cycle reads.
 *
 * <p><b>Memory:</b> a reference for each object, with compressed ones 4 bytes; used again by the
 * next cycle but one.
 */
final class ChangeList {
  private static final int CHUNK_BITS = 10;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final @Nullable Object[][] chunks;
  private int size;
  private int growths;
  private boolean lost;

  /**
   * Makes it.
   *
   * @param limit how many objects there can be
   */
  ChangeList(int limit) {
    chunks = new Object[(limit >> CHUNK_BITS) + 1][];
    chunks[0] = new Object[CHUNK];
  }

  void add(Object object) {
    int chunk = size >> CHUNK_BITS;
    if (lost || chunk == chunks.length) {
      lost = true;
      return;
    }
    if (chunks[chunk] == null) {
      try {
        chunks[chunk] = new Object[CHUNK];
        growths++;
      } catch (OutOfMemoryError e) {
        lost = true;
        return;
      }
    }
    chunks[chunk][size++ & CHUNK - 1] = object;
  }

  /** Notes that something has changed that is not in it. */
  void lose() {
    lost = true;
  }

  /** Returns whether all that has changed is in it. */
  boolean isComplete() {
    return !lost;
  }

  int size() {
    return size;
  }

  /** Returns how often memory was allocated in the task's time. */
  int growths() {
    return growths;
  }

  Object get(int index) {
    return Objects.requireNonNull(chunks[index >> CHUNK_BITS][index & CHUNK - 1]);
  }

  /**
   * Takes all out, some at a time, and keeps the memory.
   *
   * @return whether it is empty
   */
  boolean clear() {
    if (size > 0) {
      int chunk = size - 1 >> CHUNK_BITS;
      Arrays.fill(chunks[chunk], null);
      size = chunk << CHUNK_BITS;
      return false;
    }
    lost = false;
    growths = 0;
    return true;
  }
}
