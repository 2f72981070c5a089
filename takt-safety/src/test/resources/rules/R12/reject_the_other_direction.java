// From stable to transient is the forbidden direction.
// layer: both
// neighbour: R8, because R12 itself only permits
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Bidding extends ReflexTask {
  private final Item item = new Item();

  @Override
  public void execute() {
    item.last = new Bid(3);
  }
}

class Item implements Stable {
  Bid last; // expect: R8 declared "last" "Bid"
}

final class Bid {
  private final long price;

  Bid(long price) {
    this.price = price;
  }
}
