package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** Up to 64 elements of an array, saved together. */
final class LongChunk implements Stable {
  private final long[] values;

  LongChunk(int length) {
    values = new long[length];
  }

  long get(int at) {
    return values[at];
  }

  void set(int at, long value) {
    values[at] = value;
  }

  void fill(long value) {
    long[] values = this.values;
    for (int i = 0; i < values.length; i++) {
      values[i] = value;
    }
  }
}
