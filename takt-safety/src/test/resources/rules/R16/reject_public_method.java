// Anybody may call this while a release runs.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Hedger extends ReflexTask {
  private double ratio = 0.5;

  public void ratio(double value) { // expect: R16 declared "ratio"
    ratio = value;
  }

  @Override
  public void execute() {
    ratio *= 0.999;
  }
}
