package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** Up to 64 elements of an array, saved together. */
final class DoubleChunk implements Stable {
  private final double[] values;

  DoubleChunk(int length) {
    values = new double[length];
  }

  double get(int at) {
    return values[at];
  }

  void set(int at, double value) {
    values[at] = value;
  }

  void fill(double value) {
    double[] values = this.values;
    for (int i = 0; i < values.length; i++) {
      values[i] = value;
    }
  }

  void copyFrom(double[] source, int sourceFrom, int at, int count) {
    double[] values = this.values;
    for (int i = 0; i < count; i++) {
      values[at + i] = source[sourceFrom + i];
    }
  }
}
