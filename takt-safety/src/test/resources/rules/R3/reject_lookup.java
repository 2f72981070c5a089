// A method handle lookup in a helper.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.lang.invoke.MethodHandles;

class Sampler extends ReflexTask {
  private int depth;

  @Override
  public void execute() {
    depth = mode();
  }

  private static int mode() {
    return MethodHandles.lookup().lookupModes(); // expect: R3 "MethodHandles"
  }
}
