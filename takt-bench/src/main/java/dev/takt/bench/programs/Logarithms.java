package dev.takt.bench.programs;

/**
 * Complex logarithms, the work of the five tasks. As code of a library it has no stop sites, so
 * that dropping the fifth does not slow down the others.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class Logarithms {
  private Logarithms() {}

  /** Calculates so many, and returns a number that depends on each. */
  public static double sum(long count) {
    double sum = 0;
    for (long i = 1; i <= count; i++) {
      double real = i & 1_023;
      double imaginary = 1 + (i & 255);
      sum += 0.5 * Math.log(real * real + imaginary * imaginary);
      sum += Math.atan2(imaginary, real);
    }
    return sum;
  }
}
