package dev.takt.cpu.analysis;

import java.math.BigInteger;
import java.util.List;

/** The share of a processor that tasks take together. */
final class Utilization {
  /** Farther than this from 1, the sum of floating point numbers decides. */
  private static final double DOUBTFUL = 1e-9;

  private Utilization() {}

  static double of(List<TaskModel> tasks) {
    double sum = 0;
    for (TaskModel each : tasks) {
      sum += each.utilization();
    }
    return sum;
  }

  /** Returns whether the tasks take more than a whole processor, exactly. */
  static boolean isAboveOne(List<TaskModel> tasks) {
    return isAboveOne(of(tasks), tasks);
  }

  /**
   * Compares what tasks and one more take with a whole processor, exactly.
   *
   * @param sum the sum of their utilizations
   * @param ownNs the cost of the one more
   */
  static int compareToOne(double sum, List<TaskModel> tasks, long ownNs, TaskModel more) {
    return Math.abs(sum - 1) > DOUBTFUL
        ? Double.compare(sum, 1)
        : Fraction.of(tasks).plus(ownNs, more.periodNs()).compareToOne();
  }

  private static boolean isAboveOne(double sum, List<TaskModel> tasks) {
    return Math.abs(sum - 1) > DOUBTFUL ? sum > 1 : Fraction.of(tasks).compareToOne() > 0;
  }

  private record Fraction(BigInteger numerator, BigInteger denominator) {
    static Fraction of(List<TaskModel> tasks) {
      Fraction sum = new Fraction(BigInteger.ZERO, BigInteger.ONE);
      for (TaskModel each : tasks) {
        sum = sum.plus(each.costNs(), each.periodNs());
      }
      return sum;
    }

    Fraction plus(long numeratorNs, long denominatorNs) {
      BigInteger other = BigInteger.valueOf(denominatorNs);
      BigInteger sum =
          numerator.multiply(other).add(BigInteger.valueOf(numeratorNs).multiply(denominator));
      BigInteger product = denominator.multiply(other);
      BigInteger divisor = sum.gcd(product);
      return new Fraction(sum.divide(divisor), product.divide(divisor));
    }

    int compareToOne() {
      return numerator.compareTo(denominator);
    }
  }
}
