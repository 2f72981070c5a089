// A controller that chooses among laws by a number: all of them are in the closed world.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Valve extends ReflexTask {
  private int mode;
  private double position;

  @Override
  public void execute() {
    Law law = mode == 0 ? new Hold() : new Ramp(0.5);
    position = law.next(position);
  }
}

interface Law {
  double next(double position);
}

record Hold() implements Law {
  @Override
  public double next(double position) {
    return position;
  }
}

record Ramp(double step) implements Law {
  @Override
  public double next(double position) {
    return Math.min(100, position + step);
  }
}
