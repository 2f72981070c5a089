// The array of a constant record is as shared as the record.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Weights extends ReflexTask {
  static final Plan PLAN = new Plan("even", new double[] {0.5, 0.5});
  private int tick;

  record Plan(String name, double[] weights) {}

  @Override
  public void execute() {
    PLAN.weights()[tick++ % 2] *= 0.99; // expect: R15 "an element" "trading.Weights.PLAN"
  }
}
