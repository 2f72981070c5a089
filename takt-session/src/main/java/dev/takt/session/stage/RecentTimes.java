package dev.takt.session.stage;

/**
 * Times of the last one to two windows of 5 seconds.
 *
 * <p><b>Thread rule.</b> One thread at a time. <b>Memory.</b> 6 KB; adding allocates nothing.
 */
final class RecentTimes {
  /** How long a window is. */
  static final long WINDOW_NS = 5_000_000_000L;

  private TimeHistogram present = new TimeHistogram();
  private TimeHistogram last = new TimeHistogram();
  private long beginNs;

  RecentTimes(long nowNs) {
    beginNs = nowNs;
  }

  void add(long timeNs, long nowNs) {
    advance(nowNs);
    present.add(timeNs);
  }

  private void advance(long nowNs) {
    long passedNs = nowNs - beginNs;
    if (passedNs >= WINDOW_NS) {
      TimeHistogram emptied = last;
      emptied.clear();
      last = present;
      present = emptied;
      if (passedNs >= 2 * WINDOW_NS) {
        last.clear();
      }
      beginNs += passedNs - passedNs % WINDOW_NS;
    }
  }

  StageStats.Times at(long nowNs) {
    advance(nowNs);
    TimeHistogram both = new TimeHistogram();
    both.addAll(last);
    both.addAll(present);
    return new StageStats.Times(both.percentileNs(50), both.percentileNs(90), both.maxNs());
  }
}
