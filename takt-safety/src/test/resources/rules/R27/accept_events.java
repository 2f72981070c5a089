// Events, with values of all widths, come from the pools of the release.
// layer: both
package trading;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

@NoAlloc
class Buyer extends ReflexTask {
  private double maxPrice;
  private Handle handle;

  @Override
  public void initialize() {
    handle = subscribe(new Event("sell", null));
  }

  @Override
  public void execute() {
    for (Event offer : handle) {
      double price = offer.getDouble("price");
      if (price * 2 <= maxPrice) {
        write(new Event("type", "buy").add("price", price).add("size", 3).add("firm", true));
      } else if (price > maxPrice) {
        maxPrice = price;
      }
    }
  }
}
