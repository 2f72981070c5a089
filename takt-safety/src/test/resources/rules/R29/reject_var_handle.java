// A VarHandle stores past the barrier.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.lang.invoke.VarHandle;

class Latch extends ReflexTask {
  private int set;

  @Override
  public void execute() {
    raise(null);
    set &= 1;
  }

  private void raise(VarHandle handle) {
    handle.setVolatile(this, 1); // expect: R29 "VarHandle"
  }
}
