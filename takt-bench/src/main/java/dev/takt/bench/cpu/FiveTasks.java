package dev.takt.bench.cpu;

import dev.takt.bench.tasks.LongCode;

/**
 * How much the five tasks calculate in a release.
 *
 * @param logarithms each of the first four
 * @param fifthLogarithms the fifth: 1,000 times something that takes so long that it exceeds what
 *     its class allows
 */
public record FiveTasks(long logarithms, long fifthLogarithms) {
  /** What the first task of the paper takes: 7 to 10 ms. Source: CPU control 3.2. */
  static final long COST_NS = 8_000_000;

  /** More than the longest execution time of the class and all its grace. */
  static final long FIFTH_COST_NS = 45_000_000;

  /** For a run that measures nothing. */
  public static final FiveTasks NONE = new FiveTasks(1, LongCode.PARTS);

  /** Returns tasks that take these times on a machine of a speed. */
  public static FiveTasks of(Calibration.Speed speed) {
    return new FiveTasks(
        speed.count(COST_NS), LongCode.PARTS * speed.count(FIFTH_COST_NS / LongCode.PARTS));
  }
}
