package dev.takt.samples.market;

import dev.takt.space.Event;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * What {@link TradeStatistics} has found, as people read it.
 *
 * @param trades how many trades there were
 * @param quantity the sum of the quantities, exact, with 8 decimal places
 * @param vwap the volume-weighted average price, rounded half even to 8 decimal places; 0 if the
 *     quantity is 0
 * @param risingRuns how many trades ended a run of {@link TradeStatistics#RUN} or more rising
 *     prices
 * @param longestRun the number of rises in the longest run
 */
public record TradeFigures(
    long trades, BigDecimal quantity, BigDecimal vwap, long risingRuns, long longestRun) {
  /** The figures of no trade. */
  public static final TradeFigures NONE =
      new TradeFigures(0, new BigDecimal(BigInteger.ZERO, Decimals.PLACES), BigDecimal.ZERO, 0, 0);

  /** Returns the figures that {@link TradeStatistics#save} has added to an event. */
  public static TradeFigures of(Event event) {
    BigInteger quantity =
        Decimals.unsigned(event.getLong("quantityHigh"), event.getLong("quantityLow"));
    BigInteger notional =
        Decimals.unsigned(
            event.getLong("notionalHigh"),
            event.getLong("notionalMiddle"),
            event.getLong("notionalLow"));
    return new TradeFigures(
        event.getLong("trades"),
        new BigDecimal(quantity, Decimals.PLACES),
        vwap(quantity, notional),
        event.getLong("runs"),
        event.getLong("longestRun"));
  }

  private static BigDecimal vwap(BigInteger quantity, BigInteger notional) {
    if (quantity.signum() == 0) {
      return BigDecimal.ZERO;
    }
    return new BigDecimal(notional)
        .divide(
            new BigDecimal(quantity.multiply(BigInteger.valueOf(Decimals.SCALE))),
            Decimals.PLACES,
            RoundingMode.HALF_EVEN);
  }
}
