// Copying and filling with the JDK's allow-listed methods.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.Arrays;

class Depth extends ReflexTask {
  private final long[] bids = new long[10];
  private final long[] asks = new long[10];

  @Override
  public void execute() {
    System.arraycopy(bids, 0, asks, 0, bids.length);
    Arrays.fill(bids, 1);
    long[] copy = Arrays.copyOf(bids, 4);
    asks[0] = copy[0] + copy.length;
  }
}
