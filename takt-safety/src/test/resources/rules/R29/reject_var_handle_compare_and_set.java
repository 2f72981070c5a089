// Comparing and setting is a store too.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.lang.invoke.VarHandle;

class Claims extends ReflexTask {
  private int claimed;

  @Override
  public void execute() {
    if (Claim.take(null, this)) {
      claimed++;
    }
  }
}

final class Claim {
  private Claim() {}

  static boolean take(VarHandle handle, Claims of) {
    return handle.compareAndSet(of, 0, 1); // expect: R29 "VarHandle"
  }
}
