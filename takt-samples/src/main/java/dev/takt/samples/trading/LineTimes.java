package dev.takt.samples.trading;

import dev.takt.samples.market.MarketSink;

/** For whoever asks of each line only when it was, whatever it is about. */
abstract class LineTimes implements MarketSink {
  abstract void onLine(long timeNs);

  @Override
  public final void onTrade(int kind, long timeNs, long price, long quantity) {
    onLine(timeNs);
  }

  @Override
  public final void onQuote(
      int kind, long timeNs, long bid, long bidQuantity, long ask, long askQuantity) {
    onLine(timeNs);
  }

  @Override
  public final void onNote(int kind, long timeNs) {
    onLine(timeNs);
  }
}
