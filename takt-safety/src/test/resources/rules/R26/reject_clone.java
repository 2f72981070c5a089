// A clone is made by the JVM, outside the pools.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Planner extends ReflexTask {
  private double cost;

  static final class Plan implements Cloneable {
    double cost = 1;

    Plan copy() {
      try {
        return (Plan) super.clone(); // expect: R26 "clone"
      } catch (CloneNotSupportedException e) {
        return null;
      }
    }
  }

  @Override
  public void execute() {
    cost = new Plan().copy().cost;
  }
}
