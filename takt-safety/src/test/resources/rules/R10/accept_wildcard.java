// Reading through a wildcard needs no unchecked conversion.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Panel extends ReflexTask {
  private final Slot<Lamp> slot = new Slot<>(new Lamp());
  private int lit;

  @Override
  public void execute() {
    lit += count(slot);
  }

  private static int count(Slot<? extends Stable> slot) {
    return slot.item() == null ? 0 : 1;
  }
}

class Lamp implements Stable {
  boolean on;
}

class Slot<T extends Stable> implements Stable {
  private final T item;

  Slot(T item) {
    this.item = item;
  }

  T item() {
    return item;
  }
}
