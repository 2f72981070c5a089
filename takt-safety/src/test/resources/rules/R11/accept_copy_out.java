// Elements leave, the array stays.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Levels extends ReflexTask {
  private final double[] tanks = new double[4];

  @Atomic
  public double level(int tank) {
    return tanks[tank];
  }

  @Atomic
  public void levels(double[] into) {
    for (int i = 0; i < tanks.length; i++) {
      into[i] = tanks[i];
    }
  }

  @Override
  public void execute() {
    tanks[0] += 0.1;
  }
}
