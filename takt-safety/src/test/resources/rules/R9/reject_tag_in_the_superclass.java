// The superclass is no stable class, and has a field that a stable one may not have.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Portfolio extends ReflexTask {
  private final Position position = new Position();

  @Override
  public void execute() {
    position.quantity++;
  }
}

class Tagged {
  Object tag;
}

class Position extends Tagged implements Stable { // expect: R9 declared "tag" "Tagged"
  long quantity;
}
