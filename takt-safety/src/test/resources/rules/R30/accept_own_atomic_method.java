// An atomic method may call another one of the same task.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Feeder extends ReflexTask {
  private double rate;

  @Atomic
  public void rate(double value) {
    rate = Math.max(0, value);
  }

  @Atomic
  public void stop() {
    rate(0);
  }

  @Override
  public void execute() {
    rate *= 1.001;
  }
}
