// Each class of the hierarchy holds what a stable class may.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Ladder extends ReflexTask {
  private final AskLevel top = new AskLevel();

  @Override
  public void execute() {
    top.price++;
    top.hits += top.price;
  }
}

abstract class BookLevel implements Stable {
  long price;
  BookLevel next;
}

class AskLevel extends BookLevel {
  int hits;
}
