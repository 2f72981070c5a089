package dev.takt.session.stage;

/**
 * How often something happened in a second, in the last one to two windows.
 *
 * <p><b>Thread rule.</b> One thread at a time.
 */
final class RecentRate {
  private static final double NS_PER_S = 1e9;

  private final long openedNs;
  private long beginNs;
  private long present;
  private long last;

  RecentRate(long nowNs) {
    openedNs = nowNs;
    beginNs = nowNs;
  }

  void add(long nowNs) {
    advance(nowNs);
    present++;
  }

  private void advance(long nowNs) {
    long passedNs = nowNs - beginNs;
    if (passedNs >= RecentTimes.WINDOW_NS) {
      last = passedNs >= 2 * RecentTimes.WINDOW_NS ? 0 : present;
      present = 0;
      beginNs += passedNs - passedNs % RecentTimes.WINDOW_NS;
    }
  }

  long perSecond(long nowNs) {
    advance(nowNs);
    long sinceNs = Math.max(openedNs, beginNs - RecentTimes.WINDOW_NS);
    return Math.round((present + last) * NS_PER_S / Math.max(1, nowNs - sinceNs));
  }
}
