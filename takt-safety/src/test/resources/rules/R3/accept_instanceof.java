// Patterns decide by class, without reflection.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Decoder extends ReflexTask {
  private double last;

  sealed interface Sample permits Analog, Digital {}

  record Analog(double volts) implements Sample {}

  record Digital(boolean high) implements Sample {}

  @Override
  public void execute() {
    Sample sample = last > 1 ? new Digital(true) : new Analog(last + 0.5);
    if (sample instanceof Analog(double volts)) {
      last = volts;
    } else if (sample instanceof Digital digital && digital.high()) {
      last = 0;
    }
  }
}
