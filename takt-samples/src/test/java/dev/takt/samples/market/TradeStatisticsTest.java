package dev.takt.samples.market;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TradeStatisticsTest {
  private final TradeStatistics statistics = new TradeStatistics();

  @Test
  void shouldBeZeroWithoutTrades() {
    assertThat(figures().trades()).isZero();
    assertThat(figures().quantity()).isEqualByComparingTo("0");
    assertThat(figures().vwap()).isEqualByComparingTo("0");
  }

  @Test
  void shouldCountEveryTradeThatEndsARunOfThreeRises() {
    for (long price : new long[] {5, 6, 7, 8, 9, 9, 10, 11, 10, 11, 12, 13}) {
      statistics.add(price, 1);
    }
    assertThat(figures().risingRuns()).isEqualTo(3);
    assertThat(figures().longestRun()).isEqualTo(4);
  }

  @Test
  void shouldNotTakeTheFirstTradeForARise() {
    for (long price : new long[] {1, 2, 3}) {
      statistics.add(price, 1);
    }
    assertThat(figures().risingRuns()).isZero();
    assertThat(figures().longestRun()).isEqualTo(2);
  }

  @Test
  void shouldRoundHalfEven() {
    statistics.add(1, Decimals.SCALE);
    statistics.add(2, Decimals.SCALE);
    assertThat(figures().vwap()).isEqualTo("0.00000002");
    statistics.clear();
    statistics.add(2, Decimals.SCALE);
    statistics.add(3, Decimals.SCALE);
    assertThat(figures().vwap()).isEqualTo("0.00000002");
  }

  @Test
  void shouldAgreeWithBigDecimalsUpToTheLimits() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    BigDecimal quantity = BigDecimal.ZERO;
    BigDecimal notional = BigDecimal.ZERO;
    for (int i = 0; i < 10_000; i++) {
      long price = random.nextLong(Decimals.LIMIT);
      long amount = random.nextInt(4) == 0 ? Decimals.LIMIT - 1 : random.nextLong(Decimals.LIMIT);
      statistics.add(price, amount);
      quantity = quantity.add(BigDecimal.valueOf(amount, Decimals.PLACES));
      notional =
          notional.add(
              BigDecimal.valueOf(price, Decimals.PLACES)
                  .multiply(BigDecimal.valueOf(amount, Decimals.PLACES)));
    }
    assertThat(figures().quantity()).as("seed=%d", seed).isEqualTo(quantity);
    assertThat(figures().vwap())
        .as("seed=%d", seed)
        .isEqualTo(notional.divide(quantity, 8, RoundingMode.HALF_EVEN));
  }

  private TradeFigures figures() {
    Event event = new Event();
    statistics.save(event);
    return TradeFigures.of(event);
  }
}
