package dev.takt.samples.trading;

import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

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
    LongStream.Builder all = LongStream.builder();
    try (MarketReader reader = source.open()) {
      new Excerpt(0, MAX_LOOKED_AT).read(reader, all);
    }
    long[] ns = all.build().toArray();
    int best = 0;
    int most = 0;
    for (int from = 0, to = 0; to < ns.length; to++) {
      while (ns[to] - ns[from] > durationNs) {
        from++;
      }
      if (to - from + 1 > most) {
        most = to - from + 1;
        best = from;
      }
    }
    return new Excerpt(best, most);
  }

  /** Reads the times of its lines. */
  void read(MarketReader reader, LongConsumer times) throws MarketDataException {
    if (skip(reader)) {
      poll(reader, new LineTimes(times), lines);
    }
  }

  /** Passes over the lines that come before; false if there are not so many. */
  boolean skip(MarketReader reader) throws MarketDataException {
    return poll(reader, new LineTimes(_ -> {}), from) == from;
  }

  private static long poll(MarketReader reader, LineTimes times, long limit)
      throws MarketDataException {
    long done = 0;
    for (int count = 1; count > 0 && done < limit; done += count) {
      count = reader.poll(times, (int) Math.min(limit - done, Feed.BATCH_LINES));
    }
    return done;
  }
}
