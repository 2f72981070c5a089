package dev.takt.samples.market;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The readers alone on the real files; that the demo finds the same figures through the space is
 * tested with it.
 */
class RealDataTest {
  private final TradeStatistics statistics = new TradeStatistics();
  private final Map<Integer, Long> counts = new TreeMap<>();

  @Test
  void shouldReadTheBitstampTrades() throws Exception {
    try (MarketReader reader = MarketReader.openBitstampTrades()) {
      readAll(reader);
    }
    assertThat(figures().trades()).isEqualTo(100_000);
    assertThat(figures().quantity()).isEqualTo(new BigDecimal("175778.65435677"));
    assertThat(figures().vwap()).isEqualTo(new BigDecimal("959.32520141"));
  }

  @Test
  void shouldReadTheItchFile() throws Exception {
    List<String> kinds;
    try (MarketReader reader =
        MarketReader.open(Inputs.outside("market/ritch_ex20101224.TEST_ITCH_50"))) {
      kinds = reader.kinds();
      readAll(reader);
    }
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((kind, count) -> named.put(kinds.get(kind), count));
    assertThat(named)
        .isEqualTo(
            Map.of(
                "S", 6L, "R", 3L, "H", 3L, "A", 4997L, "F", 3L, "E", 198L, "X", 45L, "D", 1745L,
                "U", 12L, "P", 5000L));
  }

  private void readAll(MarketReader reader) throws MarketDataException {
    MarketSink sink =
        new MarketSink() {
          @Override
          public void onTrade(int kind, long timeNs, long price, long quantity) {
            counts.merge(kind, 1L, Long::sum);
            statistics.add(price, quantity);
          }

          @Override
          public void onQuote(
              int kind, long timeNs, long bid, long bidQuantity, long ask, long askQuantity) {
            counts.merge(kind, 1L, Long::sum);
          }

          @Override
          public void onNote(int kind, long timeNs) {
            counts.merge(kind, 1L, Long::sum);
          }
        };
    while (reader.poll(sink, 64) > 0) {
      // the sink counts them
    }
  }

  private TradeFigures figures() {
    Event event = new Event();
    statistics.save(event);
    return TradeFigures.of(event);
  }
}
