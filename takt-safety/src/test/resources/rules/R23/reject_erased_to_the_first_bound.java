// The erased bound is the first one; Stable comes second and does not count.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Registry extends ReflexTask {
  private final SourceLocation<Spot> place = new SourceLocation<>();

  @Override
  public void execute() {
    place.item = new Spot();
  }
}

class Spot implements Runnable, Stable {
  int visits;

  @Override
  public void run() {
    visits++;
  }
}

class SourceLocation<T extends Runnable & Stable> implements Stable {
  T item; // expect: R23 declared "item"
}
