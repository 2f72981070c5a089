// Numbers and strings in, a number out.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Orders extends ReflexTask {
  private long volume;

  @Atomic
  public long submit(String symbol, long quantity, boolean buy) {
    volume += buy ? quantity : -quantity;
    return volume + symbol.length();
  }

  @Override
  public void execute() {
    volume /= 2;
  }
}
