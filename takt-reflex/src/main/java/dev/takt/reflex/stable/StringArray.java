package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import org.jspecify.annotations.Nullable;

/** An array of references to strings: the keys of a map. */
final class StringArray implements Stable {
  private final StringChunk[] chunks;
  private final int length;

  StringArray(int length) {
    this.length = Limits.checkCapacity("length", length);
    chunks = new StringChunk[Chunks.count(length)];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new StringChunk(Chunks.lengthOf(i, length));
    }
  }

  @Nullable String get(int index) {
    Limits.checkIndex(index, length);
    return chunks[index >> Chunks.SHIFT].get(index & Chunks.MASK);
  }

  void set(int index, @Nullable String element) {
    Limits.checkIndex(index, length);
    chunks[index >> Chunks.SHIFT].set(index & Chunks.MASK, element);
  }

  /** Returns an element of which the caller knows that it has been set. */
  @SuppressWarnings("NullAway") // the caller knows
  String present(int index) {
    return get(index);
  }
}
