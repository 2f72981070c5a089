package dev.takt.samples.trading;

import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Buys when an offer is cheap: the buyer of Reflexes Fig. 2. That one waits until the price has
 * halved, which a day's prices seldom do; this one buys when it is {@link #DISCOUNT_PPM} below the
 * highest since it last bought.
 */
final class DiscountBuyer extends ReflexTask {
  /** How much below the highest price an offer has to be, in millionths. */
  static final long DISCOUNT_PPM = 500;

  /** How many offers a release takes at most. */
  static final int MAX_OFFERS = 64;

  @NotUndone private final ReleaseNotes notes;
  private long maxPrice;
  private Handle offers;

  /** Makes a buyer that notes which offers had expired before it saw them. */
  DiscountBuyer(ReleaseNotes notes) {
    this.notes = notes;
  }

  @Override
  public void initialize() {
    offers = subscribe(new Event(Keys.TYPE, Keys.SELL));
  }

  @Override
  public void execute() {
    notes.begin();
    Event offer = event();
    long nowNs = System.nanoTime();
    for (int i = 0; i < MAX_OFFERS && offers.next(offer); i++) {
      notes.take(offer.getLong(Keys.WRITTEN));
      long price = offer.getLong(Keys.PRICE);
      if (nowNs - offer.getLong(Keys.EXPIRY) > 0) {
        notes.done();
      } else if (price <= maxPrice - maxPrice / 1_000_000 * DISCOUNT_PPM) {
        Event buy = new Event(Keys.TYPE, Keys.BUY);
        write(buy.add(Keys.PRICE, price).add(Keys.WRITTEN, nowNs));
        maxPrice = price;
      } else {
        maxPrice = Math.max(maxPrice, price);
      }
    }
  }
}
