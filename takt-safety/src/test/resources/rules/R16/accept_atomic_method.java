// Ordinary threads come in through atomic methods.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Risk extends ReflexTask {
  private double limit = 1_000;
  private double exposure;

  @Atomic
  public void raise(double by) {
    limit += by;
  }

  @Atomic
  public double exposure() {
    return exposure;
  }

  @Override
  public void execute() {
    exposure = Math.min(limit, exposure + 1);
  }
}

class Operator {
  double act(Risk risk) {
    risk.raise(10);
    return risk.exposure();
  }
}
