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
    long[] lines = new long[1];
    long[] firstAndLastNs = new long[2];
    try (MarketReader reader = source.open()) {
      excerpt.read(reader, timeNs -> firstAndLastNs[lines[0]++ == 0 ? 0 : 1] = timeNs);
    } catch (MarketDataException e) {
      // what could be read until here is what will be replayed
    }
    return new MarketSpan(lines[0], Math.max(0, firstAndLastNs[1] - firstAndLastNs[0]));
  }
}
