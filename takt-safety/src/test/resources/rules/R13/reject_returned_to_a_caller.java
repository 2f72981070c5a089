// Returned to an ordinary thread by an atomic method.
// layer: both
// neighbour: R17, from which R13 follows
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Snapshot extends ReflexTask {
  private double volts;

  static final class View {
    double volts;
    View before;
  }

  @Atomic
  public View view() { // expect: R17 declared "view" "View"
    View view = new View();
    view.volts = volts;
    return view;
  }

  @Override
  public void execute() {
    volts += 0.1;
  }
}
