package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * The task of Reflexes Fig. 2, as printed there; it leaves {@code isExpired} to the reader.
 *
 * <p>Source: Reflexes 2.
 */
class StockBuyer extends ReflexTask {
  double maxPrice;
  Handle handle;

  public void initialize() {
    handle = subscribe(new Event("sell", null));
  }

  public void execute() {
    for (Event offer : handle) {
      if (isExpired(offer.get("expiry"))) return;
      double price = asDouble(offer.get("price"));
      if (price * 2 <= maxPrice) write(new Event("type", "buy").add("price", price));
      else if (price > maxPrice) maxPrice = price;
    }
  }

  private static boolean isExpired(Object expiry) {
    return asLong(expiry) < 0;
  }
}
