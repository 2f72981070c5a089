package dev.takt.samples.trading;

import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;
import java.util.Arrays;

/**
 * Which lines of the market are replayed.
 *
 * @param from how many lines come before
 * @param lines how many there are at most
 */
record Excerpt(long from, long lines) {
  /** The whole of it. */
  static final Excerpt ALL = new Excerpt(0, Long.MAX_VALUE);

  /** How much is looked at: the beginning of a day is as good as its end. */
  private static final int MAX_LOOKED_AT = 2_000_000;

  /** Returns the part of the market, of at most so long, in which most happened. */
  static Excerpt busiest(MarketSource source, long durationNs) throws MarketDataException {
    Times times = new Times();
    try (MarketReader reader = source.open()) {
      while (times.size < MAX_LOOKED_AT && reader.poll(times, Feed.BATCH_LINES) > 0) {
        // the sink keeps the times
      }
    }
    int best = 0;
    int most = 0;
    for (int from = 0, to = 0; to < times.size; to++) {
      while (times.ns[to] - times.ns[from] > durationNs) {
        from++;
      }
      if (to - from + 1 > most) {
        most = to - from + 1;
        best = from;
      }
    }
    return new Excerpt(best, most);
  }

  private static final class Times extends LineTimes {
    private long[] ns = new long[1_024];
    private int size;

    @Override
    void onLine(long timeNs) {
      if (size == ns.length) {
        ns = Arrays.copyOf(ns, 2 * size);
      }
      ns[size++] = timeNs;
    }
  }

  /** Passes over the lines that come before; false if there are not so many. */
  boolean skip(MarketReader reader) throws MarketDataException {
    Times ignored = new Times();
    for (long left = from; left > 0; ) {
      ignored.size = 0;
      int count = reader.poll(ignored, (int) Math.min(left, Feed.BATCH_LINES));
      if (count == 0) {
        return false;
      }
      left -= count;
    }
    return true;
  }
}
