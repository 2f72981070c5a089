// Final fields of reference-immutable types: a name, an enum, a record, a list of settings.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Regulator extends ReflexTask {
  private final String name;
  private final Mode mode;
  private final Gains gains;
  private double integral;

  enum Mode {
    MANUAL,
    AUTOMATIC
  }

  record Gains(double p, double i, String source) {}

  Regulator(String name, Mode mode, Gains gains) {
    this.name = name;
    this.mode = mode;
    this.gains = gains;
  }

  @Override
  public void execute() {
    if (mode == Mode.AUTOMATIC && !name.isEmpty()) {
      integral += gains.i() * gains.p();
    }
  }
}
