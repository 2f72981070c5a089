// A monitor that peeks into a stable object.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class WeaveRun extends ReflexTask {
  private final Figures figures = new Figures();

  @Override
  public void execute() {
    figures.orders++;
  }
}

class Figures implements Stable {
  long orders;
}

class Monitor {
  long peek(Figures figures) {
    return figures.orders; // expect: R16 "orders"
  }
}
