package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** Up to 64 elements of an array, saved together. */
final class IntChunk implements Stable {
  private final int[] values;

  IntChunk(int length) {
    values = new int[length];
  }

  int get(int at) {
    return values[at];
  }

  void set(int at, int value) {
    values[at] = value;
  }

  void fill(int value) {
    int[] values = this.values;
    for (int i = 0; i < values.length; i++) {
      values[i] = value;
    }
  }
}
