package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/**
 * An array of {@code long} that lives as long as its task.
 *
 * <p>Access is O(1), everything else O(number of elements concerned). The first write to 64
 * elements that lie together saves them, once in a release.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> 16 bytes an element and 80 bytes for each 64.
 */
public final class StableLongArray implements Stable {
  private final LongChunk[] chunks;
  private final int length;

  /**
   * Makes an array of zeros.
   *
   * @param length the number of elements, 1 to 16,777,216
   */
  public StableLongArray(int length) {
    this.length = Limits.checkCapacity("length", length);
    chunks = new LongChunk[Chunks.count(length)];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new LongChunk(Chunks.lengthOf(i, length));
    }
  }

  /** Returns the number of elements. */
  public int length() {
    return length;
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public long get(int index) {
    Limits.checkIndex(index, length);
    return chunks[index >> Chunks.SHIFT].get(index & Chunks.MASK);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, long value) {
    Limits.checkIndex(index, length);
    chunks[index >> Chunks.SHIFT].set(index & Chunks.MASK, value);
  }

  /**
   * Adds to an element.
   *
   * @return the new value; an overflow wraps around
   */
  public long add(int index, long delta) {
    Limits.checkIndex(index, length);
    LongChunk chunk = chunks[index >> Chunks.SHIFT];
    long sum = chunk.get(index & Chunks.MASK) + delta;
    chunk.set(index & Chunks.MASK, sum);
    return sum;
  }

  /** Sets all elements to one value. */
  public void fill(long value) {
    for (int i = 0; i < chunks.length; i++) {
      chunks[i].fill(value);
    }
  }
}
