// A constant table of numbers has no references that could change.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Linearizer extends ReflexTask {
  private static final int[] MILLIVOLTS = {0, 12, 25, 41, 60};
  private int celsius;

  @Override
  public void execute() {
    for (int i = 0; i < MILLIVOLTS.length; i++) {
      if (MILLIVOLTS[i] <= celsius) {
        celsius = i;
      }
    }
  }
}
