// A lambda of a functional interface that is stable.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Laws extends ReflexTask {
  private Law law;
  private double value;

  interface Law extends Stable {
    double next(double value);
  }

  @Override
  public void execute() {
    double step = value + 1;
    law = x -> x + step; // expect: R21 "Law"
    value = law.next(value);
  }
}
