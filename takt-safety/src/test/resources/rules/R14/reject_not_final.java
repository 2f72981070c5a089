// An immutable object, but in a static that can be set anew.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Scaler extends ReflexTask {
  static Scale scale = new Scale(1, 0);
  private double value;

  record Scale(double factor, double offset) {}

  @Override
  public void execute() {
    value = next(value);
  }

  private static double next(double value) {
    return scale.factor() * value; // expect: R14 "scale"
  }
}
