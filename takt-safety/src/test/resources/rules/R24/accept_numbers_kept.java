// What the task wants to keep of a capsule are its numbers.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;

class Last extends ReflexTask {
  private long price;

  @Override
  public void execute() {
    Trade trade = new Trade(price + 1);
    price = trade.price();
  }
}

final class Trade implements Capsule {
  private final long price;

  Trade(long price) {
    this.price = price;
  }

  long price() {
    return price;
  }
}
