// What has to last is copied into a stable object.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Tuner extends ReflexTask {
  private final Best best = new Best();

  record Trial(double gain, double error) {}

  @Override
  public void execute() {
    Trial trial = new Trial(best.gain * 1.1, best.error * 0.9);
    if (trial.error() < best.error) {
      best.gain = trial.gain();
      best.error = trial.error();
    }
  }
}

class Best implements Stable {
  double gain = 1;
  double error = 1;
}
