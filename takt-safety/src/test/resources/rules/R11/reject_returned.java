// A getter hands out the array.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Curve extends ReflexTask {
  private final Points points = new Points();
  private long first;

  @Override
  public void execute() {
    long[] slots = points.slots();
    slots[0]++;
    first = slots[0];
  }
}

class Points implements Stable {
  private final long[] slots = new long[16];

  long[] slots() {
    return slots; // expect: R11 "slots"
  }
}
