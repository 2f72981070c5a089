package dev.takt.samples.trading;

import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;

/**
 * How much there is to replay: found by reading all of it once, which takes far less time than a
 * paced replay.
 *
 * @param lines the lines or messages that can be read
 * @param durationNs the time from the first to the last, in the market
 */
record MarketSpan(long lines, long durationNs) {
  /**
   * Reads the excerpt up to its end or its first error, which the replay reports when it comes
   * there.
   */
  static MarketSpan of(MarketSource source, Excerpt excerpt) {
    Sink sink = new Sink();
    try (MarketReader reader = source.open()) {
      long left = excerpt.skip(reader) ? excerpt.lines() : 0;
      while (left > 0) {
        int count = reader.poll(sink, (int) Math.min(left, Feed.BATCH_LINES));
        left = count == 0 ? 0 : left - count;
      }
    } catch (MarketDataException e) {
      // what could be read until here is what will be replayed
    }
    return new MarketSpan(
        sink.lines, sink.lines == 0 ? 0 : Math.max(0, sink.lastNs - sink.firstNs));
  }

  private static final class Sink extends LineTimes {
    private long lines;
    private long firstNs;
    private long lastNs;

    @Override
    void onLine(long timeNs) {
      firstNs = lines++ == 0 ? timeNs : firstNs;
      lastNs = timeNs;
    }
  }
}
