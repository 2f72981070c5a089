// hole: a constant array has no references, so it may be read; that ordinary code writes its
// elements meanwhile is a race that nobody reports
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Weights extends ReflexTask {
  static final double[] WEIGHTS = new double[4];
  private double sum;

  @Override
  public void execute() {
    for (double weight : WEIGHTS) {
      sum += weight;
    }
  }
}

class Editor {
  void edit(int index, double weight) {
    Weights.WEIGHTS[index] = weight;
  }
}
