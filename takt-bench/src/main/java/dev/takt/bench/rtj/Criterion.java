package dev.takt.bench.rtj;

import java.util.Locale;

/**
 * What a figure must be: less than a limit, or at most it.
 *
 * @param judged which figure is judged: max, p50, max - min, …
 * @param limit the limit, in the unit of the row
 * @param inclusive whether the limit itself is good enough
 * @param unit how people write it
 * @param perUnit how many units of the row make one of that
 */
record Criterion(String judged, double limit, boolean inclusive, String unit, double perUnit) {
  static Criterion belowMs(String judged, double limitMs) {
    return new Criterion(judged, limitMs * 1e6, false, "ms", 1e6);
  }

  static Criterion belowUs(String judged, double limitUs) {
    return new Criterion(judged, limitUs * 1e3, false, "us", 1e3);
  }

  static Criterion atMostUs(String judged, double limitUs) {
    return new Criterion(judged, limitUs * 1e3, true, "us", 1e3);
  }

  static Criterion belowPercent(String judged, double limit) {
    return new Criterion(judged, limit, false, "%", 1);
  }

  static Criterion atMostPercent(String judged, double limit) {
    return new Criterion(judged, limit, true, "%", 1);
  }

  /** Returns whether a value, in the unit of the row, is good enough. */
  boolean holds(double value) {
    return inclusive ? value <= limit : value < limit;
  }

  @Override
  public String toString() {
    double shown = limit / perUnit;
    String number =
        shown == Math.rint(shown)
            ? String.format(Locale.ROOT, "%.0f", shown)
            : Double.toString(shown);
    return judged + (inclusive ? " <= " : " < ") + number + " " + unit;
  }
}
