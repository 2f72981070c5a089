package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/**
 * An array of {@code int} that lives as long as its task.
 *
 * <p>Access is O(1), everything else O(number of elements concerned). The first write to 64
 * elements that lie together saves them, once in a release.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> 8 bytes an element and 80 bytes for each 64.
 */
public final class StableIntArray implements Stable {
  private final IntChunk[] chunks;
  private final int length;

  /**
   * Makes an array of zeros.
   *
   * @param length the number of elements, 1 to 16,777,216
   */
  public StableIntArray(int length) {
    this.length = Limits.checkCapacity("length", length);
    chunks = new IntChunk[Chunks.count(length)];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new IntChunk(Chunks.lengthOf(i, length));
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
  public int get(int index) {
    Limits.checkIndex(index, length);
    return chunks[index >> Chunks.SHIFT].get(index & Chunks.MASK);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, int value) {
    Limits.checkIndex(index, length);
    chunks[index >> Chunks.SHIFT].set(index & Chunks.MASK, value);
  }

  /**
   * Adds to an element.
   *
   * @return the new value; an overflow wraps around
   */
  public int add(int index, int delta) {
    Limits.checkIndex(index, length);
    IntChunk chunk = chunks[index >> Chunks.SHIFT];
    int sum = chunk.get(index & Chunks.MASK) + delta;
    chunk.set(index & Chunks.MASK, sum);
    return sum;
  }

  /** Sets all elements to one value. */
  public void fill(int value) {
    for (int i = 0; i < chunks.length; i++) {
      chunks[i].fill(value);
    }
  }

  /**
   * Sets {@code count} elements, from {@code from} on, to those of an ordinary array.
   *
   * @throws IndexOutOfBoundsException if there are not so many in both; then nothing has changed
   */
  public void copyFrom(int[] source, int sourceFrom, int from, int count) {
    Limits.checkRange("sourceFrom", sourceFrom, count, source.length);
    Limits.checkRange("from", from, count, length);
    int done = 0;
    while (done < count) {
      int at = (from + done) & Chunks.MASK;
      int part = Math.min(Chunks.SIZE - at, count - done);
      chunks[(from + done) >> Chunks.SHIFT].copyFrom(source, sourceFrom + done, at, part);
      done += part;
    }
  }

  /**
   * Copies {@code count} elements, from {@code from} on, into an ordinary array.
   *
   * @throws IndexOutOfBoundsException if there are not so many in both; then nothing has changed
   */
  public void copyTo(int from, int[] target, int targetFrom, int count) {
    Limits.checkRange("from", from, count, length);
    Limits.checkRange("targetFrom", targetFrom, count, target.length);
    for (int i = 0; i < count; i++) {
      int index = from + i;
      target[targetFrom + i] = chunks[index >> Chunks.SHIFT].get(index & Chunks.MASK);
    }
  }
}
