// hole: an exception that the JVM makes by itself (here a division by zero that is caught) is
// allocated by no instruction that could be named
// layer: both
package plant;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Ratio extends ReflexTask {
  private int divisor;
  private int ratio;

  @Override
  public void execute() {
    try {
      ratio = 100 / divisor;
    } catch (ArithmeticException e) {
      divisor = 1;
    }
  }
}
