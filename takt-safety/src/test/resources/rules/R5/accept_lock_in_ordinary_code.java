// The feeder that ordinary threads share may lock.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Mixer extends ReflexTask {
  private double target;
  private double speed;

  @Atomic
  public void target(double rpm) {
    target = rpm;
  }

  @Override
  public void execute() {
    speed += (target - speed) * 0.1;
  }
}

class Panel {
  private double shown;

  synchronized void turn(Mixer mixer, double by) {
    shown += by;
    mixer.target(shown);
  }
}
