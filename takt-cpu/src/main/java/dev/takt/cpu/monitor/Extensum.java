package dev.takt.cpu.monitor;

import dev.takt.cpu.analysis.UtilizationBounds;

/**
 * E: what the figures of each window say, made steady. It has neither a clock nor files.
 *
 * <p><b>Guarantees.</b> (1) {@code least <= E <= most}. (2) E is a step of {@value #STEP} above the
 * least, or the most. (3) It goes down by at most one step in {@value #HOLD} windows.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class Extensum {
  static final double STEP = 0.05;

  /** So many windows in a row must be two steps below before it goes down: 5 s of 4 a second. */
  static final int HOLD = 20;

  /** How much of what is above the smoothed value is taken over at once. */
  private static final double UP = 0.5;

  /** The same of what is below. */
  private static final double DOWN = 0.1;

  private final double least;
  private final double most;
  private double smoothed;
  private double value;
  private int below;

  /**
   * Makes one.
   *
   * @param least where it begins, 1 or more
   * @param most what it never exceeds, at most 1,000
   */
  Extensum(double least, double most) {
    UtilizationBounds.checkExtensum("least", least);
    UtilizationBounds.checkExtensum("most", most);
    if (most < least) {
      throw new IllegalArgumentException(
          "most=" + most + " (expected: at least the least, " + least + ")");
    }
    this.least = least;
    this.most = most;
    smoothed = least;
    value = least;
  }

  /** Returns E. */
  double value() {
    return value;
  }

  /**
   * Takes in what a window says, and returns E.
   *
   * @param seen how much more time than its cost a task would have needed
   */
  double next(double seen) {
    double limited = seen >= least ? Math.min(seen, most) : least; // and what is no number
    smoothed += (limited > smoothed ? UP : DOWN) * (limited - smoothed);
    if (smoothed > value) {
      value = Math.min(most, stepped(smoothed));
      below = 0;
    } else if (stepped(smoothed) <= value - 2 * STEP + STEP / 4) {
      below++;
      if (below >= HOLD) {
        value = Math.max(least, stepped(value) - STEP);
        below = 0;
      }
    } else {
      below = 0;
    }
    return value;
  }

  /** Returns the step at or above it. */
  private double stepped(double extensum) {
    return least + STEP * Math.ceil((extensum - least) / STEP - 1e-9);
  }
}
