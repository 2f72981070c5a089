// An atomic method that only touches its own task.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Wallet extends ReflexTask {
  private long cash;
  private long reserved;

  @Atomic
  public boolean reserve(long amount) {
    if (cash - reserved < amount) {
      return false;
    }
    reserved += amount;
    return true;
  }

  @Override
  public void execute() {
    cash += 10;
  }
}
