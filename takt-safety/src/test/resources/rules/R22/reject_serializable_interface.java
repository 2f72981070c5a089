// The functional interface is serializable by itself.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.io.Serializable;

class Transfer extends ReflexTask {
  private double y;

  interface Curve extends Serializable {
    double at(double x);
  }

  @Override
  public void execute() {
    double slope = y + 1;
    Curve curve = x -> slope * x; // expect: R22 "erializable"
    y = curve.at(0.5);
  }
}
