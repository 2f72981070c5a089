package dev.takt.samples.market;

import dev.takt.space.Event;
import dev.takt.space.Stable;

/**
 * The exact figures of a sequence of trades: count, quantity, volume-weighted average price, and
 * runs of rising prices. Part of a task's stable memory; {@link TradeFigures} reads what it saves.
 *
 * <p>A trade <em>rises</em> if its price is higher than that of the trade just before it; an equal
 * or lower price ends the run. A trade ends a run of three or more rising prices if it and at least
 * the two before it rise: these trades are counted, so a run of five rises counts three times. The
 * length of a run is its number of rises.
 *
 * <p>Sums are kept as unsigned integers of 128 bits (quantity) and 192 bits (price times quantity),
 * which no number of trades that a long can count overflows. Adding a trade allocates nothing.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
public final class TradeStatistics implements Stable {
  /** From how many rises on a run counts. */
  public static final int RUN = 3;

  private long trades;
  private long quantityHigh;
  private long quantityLow;
  private long notionalHigh;
  private long notionalMiddle;
  private long notionalLow;
  private long lastPrice;
  private long rises;
  private long runs;
  private long longestRun;

  /** Makes the statistics of no trade. */
  public TradeStatistics() {}

  /**
   * Adds a trade, in the order in which trades happened.
   *
   * @param price scaled, at least 0
   * @param quantity scaled, at least 0
   */
  public void add(long price, long quantity) {
    long low = quantityLow + quantity;
    if (Long.compareUnsigned(low, quantity) < 0) {
      quantityHigh++;
    }
    quantityLow = low;
    addNotional(Math.multiplyHigh(price, quantity), price * quantity);
    rises = trades > 0 && price > lastPrice ? rises + 1 : 0;
    if (rises >= RUN) {
      runs++;
    }
    longestRun = Math.max(longestRun, rises);
    lastPrice = price;
    trades++;
  }

  private void addNotional(long high, long low) {
    long sumLow = notionalLow + low;
    long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
    // high < 2^63, so that high + carry does not wrap
    long addend = high + carry;
    long sumMiddle = notionalMiddle + addend;
    if (Long.compareUnsigned(sumMiddle, addend) < 0) {
      notionalHigh++;
    }
    notionalMiddle = sumMiddle;
    notionalLow = sumLow;
  }

  /** Forgets everything. */
  public void clear() {
    trades = 0;
    quantityHigh = 0;
    quantityLow = 0;
    notionalHigh = 0;
    notionalMiddle = 0;
    notionalLow = 0;
    lastPrice = 0;
    rises = 0;
    runs = 0;
    longestRun = 0;
  }

  /** Adds all of this state to an event; allocates nothing. */
  public void save(Event into) {
    into.add("trades", trades)
        .add("quantityHigh", quantityHigh)
        .add("quantityLow", quantityLow)
        .add("notionalHigh", notionalHigh)
        .add("notionalMiddle", notionalMiddle)
        .add("notionalLow", notionalLow)
        .add("lastPrice", lastPrice)
        .add("rises", rises)
        .add("runs", runs)
        .add("longestRun", longestRun);
  }
}
