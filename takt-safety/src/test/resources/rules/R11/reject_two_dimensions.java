// A matrix is an array of references to arrays.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Filter extends ReflexTask {
  private final double[][] gains = new double[3][3]; // expect: R11 declared "gains"

  @Override
  public void execute() {
    gains[1][1] *= 0.5;
  }
}
