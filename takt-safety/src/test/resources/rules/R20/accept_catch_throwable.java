// In code that is woven, the handler lets an abort pass.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Guarded extends ReflexTask {
  private int failures;

  @Override
  public void execute() {
    try {
      step();
    } catch (Throwable t) {
      failures++;
    }
  }

  private void step() {
    if (failures > 10) {
      abort();
    }
  }
}
