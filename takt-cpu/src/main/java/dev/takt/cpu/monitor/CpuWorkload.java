package dev.takt.cpu.monitor;

import java.util.Locale;

/**
 * What kept threads from running in a window of time; 0: nothing, or it is not known.
 *
 * @param stolen the share of the processors' time that the host gave to others, 0 to {@link
 *     #MAX_SHARE}
 * @param interrupts the share that interrupts had, 0 to {@link #MAX_SHARE}
 * @param queue how long a thread was ready for each unit of time that it ran, beyond that: 0 to
 *     {@link #MAX_QUEUE}
 * @param late by how much looks and releases were later than usual, as a share of their period, 0
 *     to {@link #MAX_QUEUE}
 */
public record CpuWorkload(double stolen, double interrupts, double queue, double late) {
  /** The largest share that counts. */
  public static final double MAX_SHARE = 0.95;

  /** The longest queue that counts. */
  public static final double MAX_QUEUE = 100;

  /** Clamps each value. */
  public CpuWorkload {
    stolen = clamp(stolen, MAX_SHARE);
    interrupts = clamp(interrupts, MAX_SHARE);
    queue = clamp(queue, MAX_QUEUE);
    late = clamp(late, MAX_QUEUE);
  }

  private static double clamp(double value, double most) {
    return value > 0 ? Math.min(value, most) : 0; // and what is no number
  }

  /**
   * Returns what was between two readings.
   *
   * @param passedNs how long that was
   * @param processors how many there are
   * @param late as of the record
   */
  static CpuWorkload between(
      SystemCounters from, SystemCounters to, long passedNs, int processors, double late) {
    double ticks = passed(from.totalTicks(), to.totalTicks());
    double ran = passed(from.runNs(), to.runNs());
    double queue = (double) (to.ready() - 1) / processors - 1; // without the one that reads
    if (to.waitNs() >= 0) {
      queue = passed(from.waitNs(), to.waitNs()) / ran;
    } else if (to.pressureUs() >= 0) {
      queue = 1e3 * passed(from.pressureUs(), to.pressureUs()) / passedNs;
    }
    return new CpuWorkload(
        passed(from.stolenTicks(), to.stolenTicks()) / ticks,
        passed(from.interruptTicks(), to.interruptTicks()) / ticks,
        queue,
        late);
  }

  private static double passed(long from, long to) {
    return from < 0 || to < from ? 0 : to - from;
  }

  /**
   * Returns how much more time than its cost a task would need.
   *
   * @param queued whether a task has to queue with other threads
   */
  double extensum(boolean queued) {
    double extended = Math.max(1 / (1 - stolen), 1 + late);
    return Math.max(extended, queued ? 1 + queue : 1) / (1 - interrupts);
  }

  /** Returns it in words. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f %% stolen, %.1f %% interrupts, a queue of %.2f, looks and releases %.1f %% late",
        100 * stolen,
        100 * interrupts,
        queue,
        100 * late);
  }
}
