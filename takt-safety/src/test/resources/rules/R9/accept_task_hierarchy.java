// An abstract task with fields that obey, and a concrete one below.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

abstract class Sampling extends ReflexTask {
  private final String unit;
  private long samples;

  Sampling(String unit) {
    this.unit = unit;
  }

  @Override
  public void execute() {
    samples++;
    sample(unit.length() + samples);
  }

  abstract void sample(long number);
}

class Volts extends Sampling {
  private double sum;

  Volts() {
    super("V");
  }

  @Override
  void sample(long number) {
    sum += number;
  }
}
