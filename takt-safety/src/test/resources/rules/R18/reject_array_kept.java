// The task keeps the caller's array.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Vwap extends ReflexTask {
  private double[] prices = new double[4];
  private double first;

  @Atomic
  public void load(double[] latest) {
    prices = latest; // expect: R18 "latest"
  }

  @Override
  public void execute() {
    first = prices[0];
  }
}
