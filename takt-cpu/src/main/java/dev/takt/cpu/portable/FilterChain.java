package dev.takt.cpu.portable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Filters, one after the other. Those that throw are left out from then on. */
final class FilterChain {
  private final List<RealTimeFilter> filters;
  private final Consumer<Throwable> failures;

  FilterChain(List<RealTimeFilter> filters, Consumer<Throwable> failures) {
    this.filters = new ArrayList<>(filters);
    this.failures = failures;
  }

  /**
   * Returns how long an interval is to be: from {@code leastNs} to {@code lengthNs}; one that is no
   * longer than the least is left as it is.
   */
  long apply(Interval interval, long leastNs, long lengthNs) {
    if (lengthNs <= leastNs) {
      return lengthNs;
    }
    long resultNs = lengthNs;
    for (int i = 0; i < filters.size(); i++) {
      try {
        resultNs = Math.clamp(filters.get(i).apply(interval, resultNs), leastNs, resultNs);
      } catch (Throwable thrown) {
        leaveOut(i--, thrown);
      }
    }
    return resultNs;
  }

  void ended(Interval interval, long expectedEndNs, long endNs) {
    for (int i = 0; i < filters.size(); i++) {
      try {
        filters.get(i).ended(interval, expectedEndNs, endNs);
      } catch (Throwable thrown) {
        leaveOut(i--, thrown);
      }
    }
  }

  private void leaveOut(int filter, Throwable thrown) {
    filters.remove(filter);
    try {
      failures.accept(thrown);
    } catch (Throwable twice) {
      // the thread that hands the processor over must not end by it: all tasks would wait for ever
    }
  }
}
