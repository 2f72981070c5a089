package dev.takt.bench.cpu;

import java.util.Arrays;

/**
 * When the releases of one task were due, began and ended, in nanoseconds from the first due time
 * that counts.
 *
 * @param periodNs the period
 * @param periods how many due times count
 * @param dueNs when each release was due, ascending
 * @param beginNs when it began
 * @param endNs when it ended
 * @param untilNs until when the task was watched: what had not come by then counts as coming then
 */
public record ReleaseTimes(
    long periodNs, int periods, long[] dueNs, long[] beginNs, long[] endNs, long untilNs) {
  /** Returns the delay of each due time until the end of the release that serves it. */
  long[] delaysNs() {
    long[] delaysNs = new long[periods];
    int release = 0;
    for (int period = 0; period < periods; period++) {
      long wantedNs = period * periodNs;
      while (release < dueNs.length && dueNs[release] < wantedNs) {
        release++;
      }
      long arrivalNs = release < dueNs.length ? endNs[release] : Math.max(untilNs, wantedNs);
      delaysNs[period] = Math.max(0, arrivalNs - wantedNs);
    }
    return delaysNs;
  }

  /** Returns how many due times were served later than so much. */
  int later(long limitNs) {
    return (int) Arrays.stream(delaysNs()).filter(each -> each >= limitNs).count();
  }

  /** Returns how late each release began. */
  long[] latenessNs() {
    long[] latenessNs = new long[dueNs.length];
    for (int i = 0; i < dueNs.length; i++) {
      latenessNs[i] = Math.max(0, beginNs[i] - dueNs[i]);
    }
    return latenessNs;
  }

  /** Returns how long each release took. */
  long[] busyNs() {
    long[] busyNs = new long[dueNs.length];
    for (int i = 0; i < dueNs.length; i++) {
      busyNs[i] = Math.max(0, endNs[i] - beginNs[i]);
    }
    return busyNs;
  }

  /** Returns the time from each moment to the next, the last one to the end if that is longer. */
  static long[] gapsNs(long[] moments, long periodNs, long untilNs) {
    if (moments.length == 0) {
      return new long[] {untilNs};
    }
    boolean stalled = untilNs - moments[moments.length - 1] > 2 * periodNs;
    long[] gaps = new long[moments.length - (stalled ? 0 : 1)];
    for (int i = 0; i + 1 < moments.length; i++) {
      gaps[i] = moments[i + 1] - moments[i];
    }
    if (stalled) {
      gaps[gaps.length - 1] = untilNs - moments[moments.length - 1];
    }
    return gaps;
  }

  /** Returns the time from the begin of each release to the next one's. */
  long[] beginGapsNs() {
    return gapsNs(beginNs, periodNs, untilNs);
  }

  /** Returns the time from the end of each release to the next one's. */
  long[] endGapsNs() {
    return gapsNs(endNs, periodNs, untilNs);
  }
}
