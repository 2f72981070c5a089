// A primitive array in, whose elements are copied.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Calibration extends ReflexTask {
  private final double[] factors = new double[16];
  private double sum;

  @Atomic
  public void load(double[] values) {
    System.arraycopy(values, 0, factors, 0, Math.min(values.length, factors.length));
  }

  @Override
  public void execute() {
    for (double factor : factors) {
      sum += factor;
    }
  }
}
