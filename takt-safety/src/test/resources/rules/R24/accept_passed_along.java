// A capsule as a parameter and as a result.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;

class Stage extends ReflexTask {
  private double sum;

  @Override
  public void execute() {
    Part part = shape(new Part());
    sum += part.width;
  }

  private static Part shape(Part part) {
    part.width *= 0.5;
    return part;
  }
}

final class Part implements Capsule {
  double width = 4;
}
