// An interface may be the type of a stable field if it extends Stable itself.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Motor extends ReflexTask {
  private Law law = new Constant();
  private double torque;

  @Override
  public void execute() {
    torque = law.torque(torque);
    if (torque > 5) {
      law = new Constant();
    }
  }
}

interface Law extends Stable {
  double torque(double now);
}

final class Constant implements Law {
  private double value = 1.5;

  @Override
  public double torque(double now) {
    return value;
  }
}
