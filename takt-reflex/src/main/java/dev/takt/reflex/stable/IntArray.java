package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** An array of {@code int}: the table and the hashes of a map. */
final class IntArray implements Stable {
  private final IntChunk[] chunks;

  IntArray(int length) {
    chunks = new IntChunk[Chunks.count(length)];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new IntChunk(Chunks.lengthOf(i, length));
    }
  }

  int get(int index) {
    return chunks[index >> Chunks.SHIFT].get(index & Chunks.MASK);
  }

  void set(int index, int value) {
    chunks[index >> Chunks.SHIFT].set(index & Chunks.MASK, value);
  }

  void fill(int value) {
    for (int i = 0; i < chunks.length; i++) {
      chunks[i].fill(value);
    }
  }
}
