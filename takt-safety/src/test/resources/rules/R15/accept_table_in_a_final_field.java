// What a release only reads may be kept; so may what it makes itself be written.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Boiler extends ReflexTask {
  private final Limits limits;
  private int degrees;

  Boiler(Limits limits) {
    this.limits = limits;
  }

  @Override
  public void execute() {
    Limits own = new Limits();
    own.upper = limits.upper - 5;
    if (degrees < own.upper) {
      degrees++;
    }
  }
}

final class Limits {
  int upper;
}
