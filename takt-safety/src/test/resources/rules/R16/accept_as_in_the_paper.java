// Package-private fields, as in Reflexes Fig. 2: nobody else touches them.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

class StockBuyer extends ReflexTask {
  double maxPrice;
  Handle handle;

  public void initialize() {
    handle = subscribe(new Event("sell", null));
  }

  public void execute() {
    for (Event offer : handle) {
      if (isExpired(offer.getLong("expiry"))) return;
      double price = offer.getDouble("price");
      if (price * 2 <= maxPrice) {
        write(new Event("type", "buy").add("price", price));
      } else if (price > maxPrice) {
        maxPrice = price;
      }
    }
  }

  boolean isExpired(long expiry) {
    return expiry < 0;
  }
}
