// Elements are copied one by one.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Prices extends ReflexTask {
  private final double[] prices = new double[8];
  private int used;

  @Atomic
  public void load(double[] latest) {
    for (int i = 0; i < prices.length && i < latest.length; i++) {
      prices[i] = latest[i];
    }
  }

  @Override
  public void execute() {
    used += prices[0] > 0 ? 1 : 0;
  }
}
