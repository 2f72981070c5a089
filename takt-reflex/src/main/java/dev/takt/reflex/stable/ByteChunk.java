package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** Up to 64 elements of an array, saved together. */
final class ByteChunk implements Stable {
  private final byte[] values;

  ByteChunk(int length) {
    values = new byte[length];
  }

  byte get(int at) {
    return values[at];
  }

  void set(int at, byte value) {
    values[at] = value;
  }

  void fill(byte value) {
    byte[] values = this.values;
    for (int i = 0; i < values.length; i++) {
      values[i] = value;
    }
  }

  void copyFrom(byte[] source, int sourceFrom, int at, int count) {
    byte[] values = this.values;
    for (int i = 0; i < count; i++) {
      values[at + i] = source[sourceFrom + i];
    }
  }
}
