// What a stable class may hold: primitives, stable objects, handles, its own arrays.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Stable;

class Buyer extends ReflexTask {
  double maxPrice;
  Handle offers;
  private final Level best = new Level();
  private final long[] lastPrices = new long[32];
  private int next;

  @Override
  public void initialize() {
    offers = subscribe(new Event("sell", null));
  }

  @Override
  public void execute() {
    for (Event offer : offers) {
      best.price = offer.getLong("sell");
      lastPrices[next++ & 31] = best.price;
    }
  }
}

class Level implements Stable {
  long price;
  long quantity;
  Level deeper;
}
