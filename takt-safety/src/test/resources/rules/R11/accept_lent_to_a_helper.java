// A helper that reads the array and lets go of it.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Fitting extends ReflexTask {
  private final double[] points = new double[8];
  private double slope;

  @Override
  public void execute() {
    points[0] += 1;
    slope = Fit.slope(points);
  }
}

final class Fit {
  private Fit() {}

  static double slope(double[] values) {
    return (values[values.length - 1] - values[0]) / values.length;
  }
}
