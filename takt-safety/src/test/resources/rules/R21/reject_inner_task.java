// A task that is an inner class of ordinary code.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Station {
  private final List<String> names = new ArrayList<>();

  class Sampler extends ReflexTask { // expect: R21 declared "Sampler"
    private int x;

    @Override
    public void execute() {
      x += names.size();
    }
  }
}
