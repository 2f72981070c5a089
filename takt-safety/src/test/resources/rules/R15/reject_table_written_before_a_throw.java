// On the way to an exception, too, a write stays written.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.Arrays;

class Failing extends ReflexTask {
  static final int[] LAST = new int[4];
  static final char[] NAME = new char[4];
  private int releases;

  @Override
  public void execute() {
    if (releases > 9) {
      Arrays.fill(LAST, 1); // expect: R15 "telemetry.Failing.LAST"
      "load".getChars(0, 4, NAME, 0); // expect: R15 "telemetry.Failing.NAME"
      throw new IllegalStateException("too many: " + Arrays.toString(LAST));
    }
    releases++;
  }
}
