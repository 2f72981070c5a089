// Two objects of the class share one array.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Twins extends ReflexTask {
  private final Twin first = new Twin();
  private final Twin second = new Twin();

  @Override
  public void execute() {
    first.shareWith(second);
  }
}

class Twin implements Stable {
  private int[] values = new int[4];

  void shareWith(Twin other) {
    values = other.values; // expect: R11 "values"
    values[0]++;
  }
}
