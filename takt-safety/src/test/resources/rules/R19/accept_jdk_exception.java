// A plain exception of the JDK that ends the release; it is made on the heap, not in the pools.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Checked extends ReflexTask {
  private long price;

  @Override
  public void execute() {
    price++;
    if (price < 0) {
      throw new IllegalStateException("price=" + price + " (expected: at least 0)");
    }
  }
}
