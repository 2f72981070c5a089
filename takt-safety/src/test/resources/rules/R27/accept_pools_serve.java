// Objects, records and arrays of constant length come from pools.
// layer: both
package trading;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Netting extends ReflexTask {
  private long net;

  record Leg(long quantity, boolean buy) {
    long signed() {
      return buy ? quantity : -quantity;
    }
  }

  @Override
  public void execute() {
    long[] sums = new long[4];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new Leg(i, i % 2 == 0).signed();
      net += sums[i];
    }
  }
}
