package dev.takt.cpu.cost;

import dev.takt.realtime.internal.Ranges;
import java.util.Arrays;
import java.util.Locale;

/**
 * What was learned from measured releases of a task.
 *
 * @param releases how many there were
 * @param averageNs their average cost, in nanoseconds
 * @param maxNs their largest cost, in nanoseconds
 * @param boundNs the cost that a release exceeds with {@code probability}, or the maximum and a
 *     margin; never below the maximum
 * @param probability the probability that was asked for
 * @param basis where the bound is from
 */
public record CostBound(
    long releases, double averageNs, long maxNs, long boundNs, double probability, Basis basis) {
  /** Fewer releases have no tail that could be fitted. */
  public static final int MIN_RELEASES = 1_000;

  /** The default probability: one release of a million. */
  public static final double DEFAULT_PROBABILITY = 1e-6;

  /** Where the fit is refused, so much is added to the maximum: a fifth. */
  public static final double MARGIN = 0.2;

  /** Where a bound is from. */
  public enum Basis {
    /** An exponential tail, which fits. */
    TAIL,
    /** The maximum and a margin: there were fewer than {@link #MIN_RELEASES} releases. */
    TOO_FEW,
    /** The maximum and a margin: large values are too frequent for any bound by a fit. */
    HEAVY_TAIL
  }

  /** So many standard deviations above 1 a coefficient of the highest hundredth is not chance. */
  private static final double HIGH_SIGMAS = 5;

  /** The same for the highest quarter. */
  private static final double WIDE_SIGMAS = 3;

  /** So many standard deviations the mean beyond the threshold is taken to be longer. */
  private static final double SAFE_SIGMAS = 3;

  /**
   * Learns from the costs of releases, in any order.
   *
   * @param costsNs the costs, in nanoseconds, 0 or more; at least one
   * @param probability with which a release exceeds the bound, 1e-12 to 0.01
   */
  public static CostBound of(long[] costsNs, double probability) {
    Ranges.check("releases", costsNs.length, 1, Integer.MAX_VALUE);
    checkProbability(probability);
    long[] sorted = costsNs.clone();
    Arrays.sort(sorted);
    if (sorted[0] < 0) {
      throw new IllegalArgumentException("cost=" + sorted[0] + " (expected: at least 0)");
    }
    double averageNs = Arrays.stream(sorted).average().orElseThrow();
    long maxNs = sorted[sorted.length - 1];
    Basis basis = Basis.TOO_FEW;
    long boundNs = (long) Math.ceil(maxNs * (1 + MARGIN));
    if (sorted.length >= MIN_RELEASES) {
      Tail high = Tail.of(sorted, Math.clamp(sorted.length / 100, 50, 1_000));
      Tail wide = Tail.of(sorted, sorted.length / 4);
      boolean heavy =
          high.isHeavy(HIGH_SIGMAS) || wide.isHeavy(WIDE_SIGMAS) && high.meanNs > wide.meanNs;
      basis = heavy ? Basis.HEAVY_TAIL : Basis.TAIL;
      double share = (double) high.count / sorted.length;
      boundNs = heavy ? boundNs : Math.max(maxNs, high.boundNs(share, probability));
    }
    return new CostBound(sorted.length, averageNs, maxNs, boundNs, probability, basis);
  }

  /**
   * Checks a probability of a bound.
   *
   * @throws IllegalArgumentException if it is not in its range
   */
  public static void checkProbability(double probability) {
    if (!(probability >= 1e-12 && probability <= 0.01)) {
      throw new IllegalArgumentException(
          "probability=" + probability + " (expected: 1e-12 to 0.01)");
    }
  }

  /**
   * What is above a threshold.
   *
   * @param count how many releases are
   * @param meanNs by how much on average
   * @param variation the coefficient of variation of that
   */
  private record Tail(double thresholdNs, int count, double meanNs, double variation) {
    static Tail of(long[] sorted, int count) {
      int first = sorted.length - count;
      double thresholdNs = sorted[first - 1];
      double sum = 0;
      double squares = 0;
      for (int i = first; i < sorted.length; i++) {
        double aboveNs = sorted[i] - thresholdNs;
        sum += aboveNs;
        squares += aboveNs * aboveNs;
      }
      double meanNs = sum / count;
      double variance = Math.max(0, squares / count - meanNs * meanNs);
      return new Tail(thresholdNs, count, meanNs, meanNs == 0 ? 0 : Math.sqrt(variance) / meanNs);
    }

    boolean isHeavy(double sigmas) {
      return variation > 1 + sigmas / Math.sqrt(count);
    }

    long boundNs(double share, double probability) {
      double safeMeanNs = meanNs * (1 + SAFE_SIGMAS / Math.sqrt(count));
      return (long) Math.ceil(thresholdNs + safeMeanNs * Math.log(share / probability));
    }
  }

  /** Returns it in words. */
  @Override
  public String toString() {
    String text =
        String.format(
            Locale.ROOT,
            "%s releases, average %.0f ns, maximum %s ns, bound %s ns",
            releases,
            averageNs,
            maxNs,
            boundNs);
    return switch (basis) {
      case TAIL -> text + String.format(Locale.ROOT, " (exceeded with %.0e)", probability);
      case TOO_FEW -> text + " (maximum and margin: fewer than " + MIN_RELEASES + " releases)";
      case HEAVY_TAIL -> text + " (maximum and margin: a heavy tail, no fit holds)";
    };
  }
}
