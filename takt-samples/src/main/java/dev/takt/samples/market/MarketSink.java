package dev.takt.samples.market;

/**
 * What a {@link MarketReader} hands each line or message to, one call for each.
 *
 * <p>Prices and quantities are integers scaled by {@link Decimals#SCALE} (8 decimal places), never
 * negative. Times are nanoseconds from a start that the format chooses (the epoch, or midnight for
 * ITCH). A {@code kind} is an index into {@link MarketReader#kinds()}.
 *
 * <p><b>Thread rule:</b> called on the thread that polls the reader.
 */
public interface MarketSink {
  /** A trade. */
  void onTrade(int kind, long timeNs, long price, long quantity);

  /**
   * A quote: the best prices, or one order's.
   *
   * @param bid the highest price of a buyer, or 0 if this quote has none
   * @param ask the lowest price of a seller, or 0 if this quote has none
   */
  void onQuote(int kind, long timeNs, long bid, long bidQuantity, long ask, long askQuantity);

  /** Any other line or message: it has a kind and a time and is worth counting. */
  void onNote(int kind, long timeNs);
}
