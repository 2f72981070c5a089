package dev.takt.samples.trading;

import dev.takt.samples.market.MarketSink;
import java.util.function.LongConsumer;

/**
 * Takes of each line only when it was, whatever it is about.
 *
 * @param times takes the time of each line, in nanoseconds
 */
record LineTimes(LongConsumer times) implements MarketSink {
  @Override
  public void onTrade(int kind, long timeNs, long price, long quantity) {
    times.accept(timeNs);
  }

  @Override
  public void onQuote(
      int kind, long timeNs, long bid, long bidQuantity, long ask, long askQuantity) {
    times.accept(timeNs);
  }

  @Override
  public void onNote(int kind, long timeNs) {
    times.accept(timeNs);
  }
}
