package dev.takt.cpu.portable;

/**
 * Adapts the intervals of the portable scheduler to how late they end, so that a delay in one is
 * not handed on to the next.
 *
 * <p>A filter can only shorten: what it returns beyond the length that it was given is ignored, and
 * so is what is below what the interval needs, which for a slot is the cost of the task. One that
 * throws is not called again.
 *
 * <p><b>Thread rule:</b> the scheduler's thread alone calls; a filter belongs to one processor.
 *
 * <p>Source: CPU control 2.2 ({@code RealTimeFilter.apply}).
 */
public interface RealTimeFilter {
  /**
   * Called before each interval.
   *
   * @param interval which kind
   * @param lengthNs how long it would be, in nanoseconds
   * @return how long it is to be, in nanoseconds
   */
  long apply(Interval interval, long lengthNs);

  /**
   * Called after each interval, unless a pause was cut short because a task came.
   *
   * @param interval which kind
   * @param expectedEndNs when it should have ended
   * @param endNs when it has: for a slot, when the task gave the baton back, or lost it
   */
  void ended(Interval interval, long expectedEndNs, long endNs);
}
