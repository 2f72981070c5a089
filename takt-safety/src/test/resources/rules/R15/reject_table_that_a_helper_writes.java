// A constant table is written by helpers, of the program and of the JDK.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.Arrays;

class Smoother extends ReflexTask {
  static final double[] LAST = new double[4];
  private int next;

  @Override
  public void execute() {
    next = (next + 1) % 4;
    store(table(), next, next * 0.5);
    if (next == 0) {
      Arrays.fill(LAST, 0); // expect: R15 "an element" "telemetry.Smoother.LAST"
    } else if (next == 1) {
      Arrays.sort(LAST); // expect: R15 "telemetry.Smoother.LAST"
    } else {
      System.arraycopy(LAST, 0, LAST, 1, 3); // expect: R15 "telemetry.Smoother.LAST"
    }
  }

  private static double[] table() {
    return LAST;
  }

  private static void store(double[] into, int index, double value) {
    into[index] = value; // expect: R15 "an element" "telemetry.Smoother.LAST"
  }
}
