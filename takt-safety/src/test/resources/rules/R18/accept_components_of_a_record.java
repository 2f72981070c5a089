// Reading numbers out of a record that was passed.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Tracker extends ReflexTask {
  private double x;
  private double y;

  record Fix(double x, double y, String source) {}

  @Atomic
  public boolean fix(Fix fix) {
    if (fix.source().isEmpty()) {
      return false;
    }
    x = fix.x();
    y = fix.y();
    return true;
  }

  @Override
  public void execute() {
    x += y * 0.01;
  }
}
