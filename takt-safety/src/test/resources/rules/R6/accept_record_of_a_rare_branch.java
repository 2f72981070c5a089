// A transient class whose first instance would otherwise be made in some later release.
// layer: both
// live: telemetry.Spike
package telemetry;

import dev.takt.reflex.ReflexTask;

class Watch extends ReflexTask {
  private double peak;

  @Override
  public void execute() {
    double volts = peak * 1.01 + 0.1;
    if (volts > 1_000) {
      peak = new Spike(volts).clipped();
    } else {
      peak = volts;
    }
  }
}

record Spike(double volts) {
  static final double LIMIT = Double.parseDouble("500");

  double clipped() {
    return Math.min(LIMIT, volts);
  }
}
