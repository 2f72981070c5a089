// A bound, but not a stable one.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Keys extends ReflexTask {
  private final Sorted<Integer> sorted = new Sorted<>();

  @Override
  public void execute() {
    sorted.least = 3;
  }
}

class Sorted<K extends Comparable<K>> implements Stable {
  K least; // expect: R23 declared "least"
}
