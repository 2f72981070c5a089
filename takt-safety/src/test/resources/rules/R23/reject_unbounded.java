// Anything could be stored there.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Slots extends ReflexTask {
  private final Slot<Level> slot = new Slot<>();

  @Override
  public void execute() {
    slot.value = new Level();
  }
}

class Level implements Stable {
  long price;
}

class Slot<T> implements Stable {
  T value; // expect: R23 declared "value"
}
