// The allow-listed copies.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.Arrays;

class Shift extends ReflexTask {
  private final double[] line = new double[32];

  @Override
  public void execute() {
    System.arraycopy(line, 0, line, 1, line.length - 1);
    Arrays.fill(line, 0, 1, 0.5);
  }
}
