// Reflexes Fig. 2, with its helpers, in a task that promises to allocate nothing.
// layer: both
package trading;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

@NoAlloc
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
      if (price * 2 <= maxPrice) {
        write(new Event("type", "buy").add("price", price));
      } else if (price > maxPrice) {
        maxPrice = price;
      }
    }
  }

  private boolean isExpired(Object expiry) {
    return asLong(expiry) < 0;
  }
}
