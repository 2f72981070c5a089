// The erased bound is the first one; Stable comes second and does not count.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Registry extends ReflexTask {
  private final Place<Spot> place = new Place<>();

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

class Place<T extends Runnable & Stable> implements Stable {
  T item; // expect: R23 declared "item"
}
