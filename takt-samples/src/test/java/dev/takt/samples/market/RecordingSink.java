package dev.takt.samples.market;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a reader pushes, as text. */
final class RecordingSink implements MarketSink {
  final List<String> lines = new ArrayList<>();

  @Override
  public void onTrade(int kind, long timeNs, long price, long quantity) {
    lines.add("trade " + kind + " " + timeNs + " " + price + " " + quantity);
  }

  @Override
  public void onQuote(
      int kind, long timeNs, long bid, long bidQuantity, long ask, long askQuantity) {
    lines.add(
        "quote "
            + kind
            + " "
            + timeNs
            + " "
            + bid
            + " "
            + bidQuantity
            + " "
            + ask
            + " "
            + askQuantity);
  }

  @Override
  public void onNote(int kind, long timeNs) {
    lines.add("note " + kind + " " + timeNs);
  }
}
