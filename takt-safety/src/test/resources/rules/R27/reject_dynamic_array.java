// An array of a length that nobody has bounded.
// layer: both
package plant;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Resampler extends ReflexTask {
  private int rate = 8;

  @Override
  public void execute() {
    double[] window = new double[rate]; // expect: R27 "@MaxLength"
    rate = window.length + 1;
  }
}
