package dev.takt.stress.atomic;

/**
 * How threads outside see a woven task whose every step depends on all its memory.
 *
 * <p>Results are the number of the last step in the lower {@value #NUMBER_BITS} bits, and above a
 * digest of the memory after it.
 */
public interface Stepping {
  /** How many bits are the number. */
  int NUMBER_BITS = 32;

  /** Makes a step. */
  long step(int input);

  /** Makes a step with a borrowed array, in which the result is to be found afterwards. */
  void stepInto(int input, long[] result);

  /** Makes a step and throws an {@link ArithmeticException}. */
  long failedStep(int input);

  /** Looks. */
  long look();

  /** Returns the input of the step that a release makes. */
  static int releaseInput(int number) {
    return number * 31 & 1_023;
  }
}
