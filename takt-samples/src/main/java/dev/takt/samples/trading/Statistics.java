package dev.takt.samples.trading;

import dev.takt.samples.market.TradeStatistics;
import dev.takt.space.Event;

/**
 * Takes the trades and keeps count, quantity, average price and the runs of rising prices, exactly.
 */
final class Statistics extends StreamTask {
  private final TradeStatistics statistics = new TradeStatistics();

  Statistics(int kinds, ReleaseNotes notes) {
    super(Keys.TRADE, kinds, notes);
  }

  @Override
  void onEvent(Event trade) {
    statistics.add(trade.getLong(Keys.PRICE), trade.getLong(Keys.QUANTITY));
  }

  @Override
  void addFigures(Event into) {
    statistics.save(into);
  }

  @Override
  void forget() {
    statistics.clear();
  }
}
