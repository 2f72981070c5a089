package dev.takt.realtime.os;

import org.jspecify.annotations.Nullable;

/**
 * How a thread asks to be scheduled.
 *
 * @param policy the policy
 * @param priority 1 (lowest) to 99 for {@link Policy#FIFO} and {@link Policy#RR}; 0 for the others
 * @param sliceNs how long a thread of {@link Policy#OTHER} runs before the next one's turn comes,
 *     100,000 to 100,000,000 ns; 0: the system's default
 * @param nice the share of a thread of {@link Policy#OTHER}: -20 (some 88 times that of another
 *     thread) to 19 (a 68th of it); 0: as it is
 * @param runtimeNs for {@link Policy#DEADLINE}: the budget of a period, in nanoseconds
 * @param deadlineNs for {@link Policy#DEADLINE}: by when it is needed, in nanoseconds from the
 *     period's beginning
 * @param periodNs for {@link Policy#DEADLINE}: the period, in nanoseconds
 * @param cpus the processors to run on; null: those it has
 * @param timerSlackNs how late the system may wake a thread of {@link Policy#OTHER}, to wake
 *     several together; at least 1; 0: as it is (50,000 ns by default)
 */
public record ThreadScheduling(
    Policy policy,
    int priority,
    long sliceNs,
    int nice,
    long runtimeNs,
    long deadlineNs,
    long periodNs,
    @Nullable CpuSet cpus,
    long timerSlackNs) {
  /** The lowest priority of {@link Policy#FIFO} and {@link Policy#RR}. */
  public static final int MIN_PRIORITY = 1;

  /** The highest priority of {@link Policy#FIFO} and {@link Policy#RR}. */
  public static final int MAX_PRIORITY = 99;

  /** The smallest budget of {@link Policy#DEADLINE}. */
  public static final long MIN_RUNTIME_NS = 1_024;

  /** The shortest slice that Linux takes, in nanoseconds. */
  public static final long MIN_SLICE_NS = 100_000;

  /** The longest slice that Linux takes, in nanoseconds. */
  public static final long MAX_SLICE_NS = 100_000_000;

  /** The nice value of the greatest share. */
  public static final int MIN_NICE = -20;

  /** The nice value of the smallest share. */
  public static final int MAX_NICE = 19;

  /** As any thread: fair shares, on all processors. */
  public static final ThreadScheduling OTHER =
      new ThreadScheduling(Policy.OTHER, 0, 0, 0, 0, 0, 0, null, 0);

  /** Checks each value. */
  public ThreadScheduling {
    if (!isPriorityOf(policy, priority)) {
      throw new IllegalArgumentException(
          "priority=%s (expected: %s with policy %s)"
              .formatted(
                  priority,
                  isPriorityOf(policy, 0) ? "0" : MIN_PRIORITY + " to " + MAX_PRIORITY,
                  policy));
    }
    if (sliceNs != 0
        && (policy != Policy.OTHER || sliceNs < MIN_SLICE_NS || sliceNs > MAX_SLICE_NS)) {
      throw new IllegalArgumentException(
          "sliceNs=" + sliceNs + " (expected: 0, or 100000 to 100000000 with policy OTHER)");
    }
    if (nice != 0 && (policy != Policy.OTHER || nice < MIN_NICE || nice > MAX_NICE)) {
      throw new IllegalArgumentException(
          "nice=" + nice + " (expected: 0, or -20 to 19 with policy OTHER)");
    }
    if (policy == Policy.DEADLINE
        ? runtimeNs < MIN_RUNTIME_NS || deadlineNs < runtimeNs || periodNs < deadlineNs
        : runtimeNs != 0 || deadlineNs != 0 || periodNs != 0) {
      throw new IllegalArgumentException(
          ("runtimeNs=%s, deadlineNs=%s, periodNs=%s (expected: 1024 <= runtimeNs <= "
                  + "deadlineNs <= periodNs with policy DEADLINE, else 0)")
              .formatted(runtimeNs, deadlineNs, periodNs));
    }
    if (timerSlackNs < 0) {
      throw new IllegalArgumentException(
          "timerSlackNs=" + timerSlackNs + " (expected: at least 1, or 0: as it is)");
    }
  }

  /** Returns whether threads of a policy can have a priority. */
  public static boolean isPriorityOf(Policy policy, int priority) {
    return policy == Policy.FIFO || policy == Policy.RR
        ? priority >= MIN_PRIORITY && priority <= MAX_PRIORITY
        : priority == 0;
  }

  /** Asks for {@link Policy#FIFO}. */
  public static ThreadScheduling fifo(int priority) {
    return new ThreadScheduling(Policy.FIFO, priority, 0, 0, 0, 0, 0, null, 0);
  }

  /** Asks for {@link Policy#RR}. */
  public static ThreadScheduling rr(int priority) {
    return new ThreadScheduling(Policy.RR, priority, 0, 0, 0, 0, 0, null, 0);
  }

  /** Asks for {@link Policy#DEADLINE}. */
  public static ThreadScheduling deadline(long runtimeNs, long deadlineNs, long periodNs) {
    return new ThreadScheduling(Policy.DEADLINE, 0, 0, 0, runtimeNs, deadlineNs, periodNs, null, 0);
  }

  /** Returns this, with a slice. */
  public ThreadScheduling withSliceNs(long sliceNs) {
    return new ThreadScheduling(
        policy, priority, sliceNs, nice, runtimeNs, deadlineNs, periodNs, cpus, timerSlackNs);
  }

  /** Returns this, with a nice value. */
  public ThreadScheduling withNice(int nice) {
    return new ThreadScheduling(
        policy, priority, sliceNs, nice, runtimeNs, deadlineNs, periodNs, cpus, timerSlackNs);
  }

  /** Returns this, on these processors. */
  public ThreadScheduling withCpus(@Nullable CpuSet cpus) {
    return new ThreadScheduling(
        policy, priority, sliceNs, nice, runtimeNs, deadlineNs, periodNs, cpus, timerSlackNs);
  }

  /** Returns this, with a timer slack. */
  public ThreadScheduling withTimerSlackNs(long timerSlackNs) {
    return new ThreadScheduling(
        policy, priority, sliceNs, nice, runtimeNs, deadlineNs, periodNs, cpus, timerSlackNs);
  }

  /** Returns what differs from {@link #OTHER}, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(policy.name());
    switch (policy) {
      case FIFO, RR -> text.append(' ').append(priority);
      case DEADLINE ->
          text.append(' ')
              .append(runtimeNs)
              .append(" ns of ")
              .append(periodNs)
              .append(" ns")
              .append(" within ")
              .append(deadlineNs)
              .append(" ns");
      case OTHER ->
          text.append(nice == 0 ? "" : ", nice " + nice)
              .append(sliceNs == 0 ? "" : ", slice " + sliceNs + " ns");
    }
    if (cpus != null) {
      text.append(", processors ").append(cpus);
    }
    if (timerSlackNs != 0) {
      text.append(", timer slack ").append(timerSlackNs).append(" ns");
    }
    return text.toString();
  }
}
