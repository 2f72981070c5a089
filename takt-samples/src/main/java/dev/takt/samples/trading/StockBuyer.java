package dev.takt.samples.trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Buys when an offer is cheap: the buyer of Fig. 2 of the paper. That one waits until the price has
 * halved, which a day's prices seldom do; this one buys when it is {@link #DISCOUNT_PPM} below the
 * highest since it last bought.
 */
final class StockBuyer extends ReflexTask {
  /** How much below the highest price an offer has to be, in millionths. */
  static final long DISCOUNT_PPM = 500;

  /** How many offers a release takes at most. */
  static final int MAX_OFFERS = 64;

  private long maxPrice;
  private long expired;
  private Handle offers;

  private final transient TaskMeter meter;
  private final transient Event offer = new Event();
  private final transient Event buy = new Event(Keys.TYPE, Keys.BUY);

  StockBuyer(TaskMeter meter) {
    this.meter = meter;
  }

  @Override
  public void initialize() {
    offers = subscribe(new Event(Keys.TYPE, Keys.SELL));
  }

  @Override
  public void execute() {
    meter.begin();
    long nowNs = System.nanoTime();
    for (int i = 0; i < MAX_OFFERS && offers.next(offer); i++) {
      meter.add(offer.getLong(Keys.WRITTEN));
      long price = offer.getLong(Keys.PRICE);
      if (nowNs - offer.getLong(Keys.EXPIRY) > 0) {
        expired++;
      } else if (price <= maxPrice - maxPrice / 1_000_000 * DISCOUNT_PPM) {
        write(buy.add(Keys.PRICE, price).add(Keys.WRITTEN, nowNs));
        maxPrice = price;
      } else {
        maxPrice = Math.max(maxPrice, price);
      }
    }
  }

  /** Returns how many offers had expired before it saw them; when the runtime has stopped. */
  long expired() {
    return expired;
  }
}
