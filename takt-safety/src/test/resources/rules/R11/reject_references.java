// An array of references.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Depths extends ReflexTask {
  private final Depth[] depths = new Depth[4]; // expect: R11 declared "depths"

  @Override
  public void execute() {
    depths[0] = new Depth();
  }
}

class Depth implements Stable {
  long quantity;
}
