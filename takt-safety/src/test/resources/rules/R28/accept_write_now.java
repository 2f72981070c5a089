// writeNow is meant to stay, for example to say why a release was given up.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Stopper extends ReflexTask {
  private double temperature;

  @Override
  public void execute() {
    temperature += 1;
    if (temperature > 90) {
      writeNow(new Event("overheated", temperature));
      abort();
    }
  }
}
