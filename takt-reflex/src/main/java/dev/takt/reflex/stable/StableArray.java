package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import org.jspecify.annotations.Nullable;

/**
 * An array of references to stable objects that lives as long as its task.
 *
 * <p>Access is O(1). The first write to 64 elements that lie together saves them, once in a
 * release.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> 8 bytes an element and 80 bytes for each 64, with compressed references.
 *
 * @param <E> the elements
 */
public final class StableArray<E extends Stable> implements Stable {
  private final ReferenceChunk[] chunks;
  private final int length;

  /**
   * Makes an array of nulls.
   *
   * @param length the number of elements, 1 to 16,777,216
   */
  public StableArray(int length) {
    this.length = Limits.checkCapacity("length", length);
    chunks = new ReferenceChunk[Chunks.count(length)];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new ReferenceChunk(Chunks.lengthOf(i, length));
    }
  }

  /** Returns the number of elements. */
  public int length() {
    return length;
  }

  /**
   * Returns an element, or null if it has not been set.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  @SuppressWarnings("unchecked") // set() let nothing else in
  public @Nullable E get(int index) {
    Limits.checkIndex(index, length);
    return (E) chunks[index >> Chunks.SHIFT].get(index & Chunks.MASK);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, @Nullable E element) {
    Limits.checkIndex(index, length);
    chunks[index >> Chunks.SHIFT].set(index & Chunks.MASK, element);
  }

  /** Returns an element of which the caller knows that it has been set. */
  @SuppressWarnings("NullAway") // the caller knows
  E present(int index) {
    return get(index);
  }
}
