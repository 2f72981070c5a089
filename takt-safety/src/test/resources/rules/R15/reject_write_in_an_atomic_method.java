// An atomic call may run twice, so it writes no static at all.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Calls extends ReflexTask {
  static volatile int calls;
  private double target;

  @Atomic
  public void target(double value) {
    target = value;
    calls = 1; // expect: R15 "calls"
  }

  @Override
  public void execute() {
    target *= 0.99;
  }
}
