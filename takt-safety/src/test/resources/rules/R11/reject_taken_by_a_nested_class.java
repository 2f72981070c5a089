// A nested class may read the private field, and takes the array with it.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Vault extends ReflexTask {
  private final long[] coins = new long[4];
  private long sum;

  private static final class Thief {
    long[] take(Vault from) {
      return from.coins; // expect: R11 "coins"
    }
  }

  @Override
  public void execute() {
    long[] taken = new Thief().take(this);
    taken[0]++;
    sum += taken[0];
  }
}
