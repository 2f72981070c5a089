package dev.takt.testkit;

import java.util.function.Consumer;

/** All small cases. */
final class Sequences {
  private Sequences() {}

  /** All sequences of these values, one after the other in the same array. */
  static void forEach(long[] values, int length, Consumer<long[]> each) {
    long[] sequence = new long[length];
    for (long number = 0; number < Math.round(Math.pow(values.length, length)); number++) {
      long rest = number;
      for (int i = 0; i < length; i++) {
        sequence[i] = values[(int) (rest % values.length)];
        rest /= values.length;
      }
      each.accept(sequence);
    }
  }
}
