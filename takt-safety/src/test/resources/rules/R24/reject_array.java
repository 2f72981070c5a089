// Capsules in an array.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;

class Rack extends ReflexTask {
  private int used;

  @Override
  public void execute() {
    Item[] items = new Item[4]; // expect: R24 "Item"
    used = items.length;
  }
}

final class Item implements Capsule {
  int weight;
}
