// A task that keeps its open orders in a list of the JDK.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Maker extends ReflexTask {
  private final List<Long> open = new ArrayList<>(); // expect: R8 declared "open" "java.util.List"

  @Override
  public void execute() {
    open.clear();
  }
}
