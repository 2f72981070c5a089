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
   * Returns whether the tasks take more than a whole processor, exactly.
   *
   * @param sum the sum of their utilizations
   */
  static boolean isAboveOne(double sum, List<TaskModel> tasks) {
    return Math.abs(sum - 1) > DOUBTFUL ? sum > 1 : compareExactly(tasks) > 0;
  }

  private static int compareExactly(List<TaskModel> tasks) {
    BigInteger numerator = BigInteger.ZERO;
    BigInteger denominator = BigInteger.ONE;
    for (TaskModel each : tasks) {
      BigInteger period = BigInteger.valueOf(each.periodNs());
      BigInteger cost = BigInteger.valueOf(each.costNs());
      numerator = numerator.multiply(period).add(cost.multiply(denominator));
      denominator = denominator.multiply(period);
      BigInteger divisor = numerator.gcd(denominator);
      numerator = numerator.divide(divisor);
      denominator = denominator.divide(divisor);
    }
    return numerator.compareTo(denominator);
  }
}
