// The caller's array is kept, by way of a local variable and a condition.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Levels extends ReflexTask {
  private double[] levels = new double[4];
  private double first;

  @Atomic
  public void load(double[] latest) {
    double[] next = levels;
    if (latest.length > 4) {
      next = latest;
    }
    levels = next; // expect: R18 "latest"
  }

  @Override
  public void execute() {
    first = levels[0];
  }
}
