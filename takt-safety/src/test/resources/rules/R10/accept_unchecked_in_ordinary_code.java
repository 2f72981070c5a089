// What ordinary code converts is its own business.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Ticker extends ReflexTask {
  private long ticks;

  @Override
  public void execute() {
    ticks++;
  }
}

class Import {
  @SuppressWarnings("unchecked")
  List<String> names(Object loaded) {
    return new ArrayList<>((List<String>) loaded);
  }
}
