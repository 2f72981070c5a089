// Initializing a class with a method handle lookup inside a release.
// layer: both
// neighbour: R3, which is how a class could be initialized late in spite of the list
package trading;

import dev.takt.reflex.ReflexTask;
import java.lang.invoke.MethodHandles;

class Prefetch extends ReflexTask {
  private boolean done;

  @Override
  public void execute() {
    try {
      MethodHandles.lookup().ensureInitialized(Curve.class); // expect: R3 "MethodHandles"
      done = true;
    } catch (IllegalAccessException e) {
      done = false;
    }
  }

  static final class Curve {
    static final double FIRST = Double.parseDouble("0.5");

    private Curve() {}
  }
}
