// An inner class whose outer object is the task itself, which is stable.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Rig extends ReflexTask {
  private final Arm arm = new Arm();
  private double height;

  final class Arm implements Stable {
    private double angle;

    void turn() {
      angle += 1;
      height = Math.max(height, angle);
    }
  }

  @Override
  public void execute() {
    arm.turn();
  }
}
