package dev.takt.cpu.cost;

import dev.takt.realtime.TimeText;
import dev.takt.realtime.internal.Ranges;
import java.util.Arrays;
import java.util.Locale;

/**
 * What was learned from measured releases of a task.
 *
 * @param releases how many there were
 * @param averageNs their average cost, in nanoseconds
 * @param maxNs their largest cost, in nanoseconds
 * @param boundNs the cost that a release exceeds with {@code probability} at most, or the maximum
 *     and a margin; never below the maximum
 * @param probability the probability that was asked for
 * @param basis where the bound is from
 */
public record CostBound(
    long releases, double averageNs, long maxNs, long boundNs, double probability, Basis basis) {
  /** Fewer releases have no tail that could be fitted. */
  public static final int MIN_RELEASES = 1_000;

  /** The default probability: one release of a million. */
  public static final double DEFAULT_PROBABILITY = 1e-6;

  /** Where the fit is refused, the bound is the maximum and so much of it at least: a fifth. */
  public static final double MARGIN = 0.2;

  /** Where a bound is from. */
  public enum Basis {
    /** An exponential tail, which fits. */
    TAIL,
    /** The maximum and a margin: there were fewer than {@link #MIN_RELEASES} releases. */
    TOO_FEW,
    /**
     * The maximum and a margin, or what an exponential tail says, if that is more: large values are
     * too frequent for any bound by a fit.
     */
    HEAVY_TAIL,
    /**
     * The maximum and the smallest difference between two costs, or twice the maximum where all are
     * equal: the clock is too coarse for these costs. Of costs of 0 nothing is known but that.
     */
    COARSE
  }

  /** So many standard deviations above 1 a coefficient of the highest values is not chance. */
  private static final double HIGH_SIGMAS = 4;

  /** The same for the highest quarter. */
  private static final double WIDE_SIGMAS = 2;

  /**
   * The mean beyond the threshold is taken to be as long as it is with a probability of 0.999, in
   * standard deviations.
   */
  private static final double SAFE_SIGMAS = 3.09;

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
    double sumNs = 0; // that of longs may leave their range
    for (long each : sorted) {
      sumNs += each;
    }
    long maxNs = sorted[sorted.length - 1];
    int few = Math.clamp(sorted.length / 100, 50, 1_000);
    double stepNs = stepNs(sorted);
    Basis basis = Basis.TOO_FEW;
    double fitNs = maxNs;
    if (sorted[0] == maxNs || sorted.length >= MIN_RELEASES && Tail.start(sorted, few) == 0) {
      basis = Basis.COARSE;
    } else if (sorted.length >= MIN_RELEASES) {
      Tail high = Tail.of(sorted, few);
      Tail highest = Tail.of(sorted, few / 4);
      boolean heavy = isHeavy(Tail.of(sorted, sorted.length / 4), high, highest);
      basis = heavy ? Basis.HEAVY_TAIL : Basis.TAIL;
      double leastNs = Tail.of(sorted, few / 2).boundNs(sorted.length, probability);
      leastNs = Math.min(leastNs, high.boundNs(sorted.length, probability));
      leastNs = Math.min(leastNs, highest.boundNs(sorted.length, probability));
      fitNs = Math.max(maxNs, leastNs);
    }
    boolean margin = basis == Basis.TOO_FEW || basis == Basis.HEAVY_TAIL;
    double boundNs = Math.max(fitNs + stepNs, margin ? maxNs * (1 + MARGIN) : 0);
    return new CostBound(
        sorted.length, sumNs / sorted.length, maxNs, (long) Math.ceil(boundNs), probability, basis);
  }

  /** Behind the last of several modes the mean is much shorter than before it. */
  private static boolean isHeavy(Tail wide, Tail high, Tail highest) {
    return (high.isAbove(HIGH_SIGMAS) || wide.isAbove(WIDE_SIGMAS) && high.meanNs > wide.meanNs)
        && highest.meanNs > high.meanNs / 2;
  }

  /** Returns by how much a cost can be longer than the clock says: its step, if it shows. */
  private static double stepNs(long[] sorted) {
    double leastNs = sorted[sorted.length - 1]; // of equal ones: they may be one step
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] != sorted[i - 1]) {
        leastNs = Math.min(leastNs, (double) sorted[i] - sorted[i - 1]);
      }
    }
    return leastNs;
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
    /**
     * Returns where the highest begin: so many, and more if some of the rest are equal to the least
     * of them, because what does not exceed the threshold says nothing about what does; 0: all are
     * equal to it.
     */
    static int start(long[] sorted, int count) {
      int first = sorted.length - count;
      while (first > 0 && sorted[first] == sorted[first - 1]) {
        first--;
      }
      return first;
    }

    static Tail of(long[] sorted, int asked) {
      int first = start(sorted, asked);
      int count = sorted.length - first;
      double thresholdNs = first == 0 ? 0 : sorted[first - 1];
      double sum = 0;
      double squares = 0;
      for (int i = first; i < sorted.length; i++) {
        double aboveNs = sorted[i] - thresholdNs;
        sum += aboveNs;
        squares += aboveNs * aboveNs;
      }
      double meanNs = sum / count;
      double variance = Math.max(0, squares / count - meanNs * meanNs);
      return new Tail(thresholdNs, count, meanNs, Math.sqrt(variance) / meanNs);
    }

    boolean isAbove(double sigmas) {
      return variation > 1 + sigmas / Math.sqrt(count);
    }

    /**
     * The sum of so many exponential values has a gamma distribution, whose low quantile is that of
     * Wilson and Hilferty.
     */
    double boundNs(int releases, double probability) {
      double low = 1 - 1.0 / (9 * count) - SAFE_SIGMAS / (3 * Math.sqrt(count));
      double safeMeanNs = meanNs / (low * low * low);
      return thresholdNs + safeMeanNs * Math.log((double) count / releases / probability);
    }
  }

  /** Returns it in words. */
  @Override
  public String toString() {
    String text =
        "%s releases, average %s, maximum %s, bound %s"
            .formatted(
                releases, TimeText.rounded(averageNs), TimeText.of(maxNs), TimeText.of(boundNs));
    return switch (basis) {
      case TAIL -> text + String.format(Locale.ROOT, " (exceeded with %.0e)", probability);
      case TOO_FEW -> text + " (maximum and margin: fewer than " + MIN_RELEASES + " releases)";
      case HEAVY_TAIL -> text + " (maximum and margin: a heavy tail, no fit holds)";
      case COARSE -> text + " (maximum and a step of the clock, which is too coarse)";
    };
  }
}
