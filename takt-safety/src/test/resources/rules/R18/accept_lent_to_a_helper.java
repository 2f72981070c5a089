// A parameter may be lent on to a helper that only reads it.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Weigher extends ReflexTask {
  private double mean;

  @Atomic
  public void samples(double[] grams) {
    mean = Statistics.mean(grams);
  }

  @Override
  public void execute() {
    mean *= 0.999;
  }
}

final class Statistics {
  private Statistics() {}

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return values.length == 0 ? 0 : sum / values.length;
  }
}
