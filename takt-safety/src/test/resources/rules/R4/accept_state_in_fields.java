// Scratch space that others would keep in a thread local is a field.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Smoother extends ReflexTask {
  private final double[] scratch = new double[8];
  private double mean;

  @Override
  public void execute() {
    double sum = 0;
    for (int i = 0; i < scratch.length; i++) {
      scratch[i] = scratch[i] * 0.5 + i;
      sum += scratch[i];
    }
    mean = sum / scratch.length;
  }
}
