package dev.takt.samples.fix;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * The trading application: fills orders at the last traded price.
 *
 * <p>Each release takes an order, fills a quarter of it (so that there are partial fills to report)
 * and gives back what is left, as one transaction. An order whose limit the price does not meet
 * rests in the space until the price has changed. It has no state of its own: what a restart has to
 * know is in the events.
 */
final class OrderFiller extends ReflexTask {
  /** In how many parts an order is filled. */
  static final int PARTS = 4;

  private static final int MAX_MOVED = 64;

  private Handle orders;
  private Handle trades;

  @Override
  public void initialize() {
    orders = subscribe(new Event(FixKeys.TYPE, FixKeys.ORDER));
    trades = subscribe(new Event(FixKeys.TYPE, FixKeys.TRADED));
  }

  @Override
  public void execute() {
    Event trade = event();
    if (trades.next(trade)) {
      wake(trade);
    }
    Event order = event();
    if (orders.next(order)) {
      fill(order);
    }
  }

  private void fill(Event order) {
    Event last = event();
    Event at = event().add(FixKeys.TYPE, FixKeys.LAST);
    if (!take(at.add(FixKeys.SYMBOL, order.getString(FixKeys.SYMBOL)), last)) {
      write(order.add(FixKeys.TYPE, FixKeys.RESTING)); // until it is traded
      return;
    }
    write(last);
    long price = last.getLong(FixKeys.PRICE);
    long limit = order.getLong(FixKeys.LIMIT);
    boolean buys = order.getLong(FixKeys.SIDE) == FixKeys.BUY;
    if (limit > 0 && (buys ? price > limit : price < limit)) {
      write(order.add(FixKeys.TYPE, FixKeys.RESTING));
      return;
    }
    long quantity = order.getLong(FixKeys.QUANTITY);
    long done = order.getLong(FixKeys.DONE);
    long part = Math.min(quantity - done, (quantity + PARTS - 1) / PARTS);
    order.add(FixKeys.TYPE, FixKeys.FILL).add(FixKeys.DONE, done + part);
    order.add(FixKeys.FILLS, order.getLong(FixKeys.FILLS) + 1);
    order.add(FixKeys.VALUE, order.getLong(FixKeys.VALUE) + part * price);
    write(order.add(FixKeys.LAST_QUANTITY, part).add(FixKeys.PRICE, price));
    if (done + part < quantity) {
      write(order.add(FixKeys.TYPE, FixKeys.ORDER));
    }
  }

  /** The price of a symbol has changed: what rests is looked at again. */
  private void wake(Event trade) {
    Event resting = event();
    Event at = event().add(FixKeys.TYPE, FixKeys.RESTING);
    at.add(FixKeys.SYMBOL, trade.getString(FixKeys.SYMBOL));
    for (int moved = 0; take(at, resting); moved++) {
      write(resting.add(FixKeys.TYPE, FixKeys.ORDER));
      if (moved == MAX_MOVED) {
        write(trade); // the others in the next release
        return;
      }
    }
  }
}
