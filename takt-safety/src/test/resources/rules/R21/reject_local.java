// A local class that is stable.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Sequence extends ReflexTask {
  private Step step;

  interface Step extends Stable {
    int next();
  }

  @Override
  public void execute() {
    int[] order = {3, 1, 2};
    class Ordered implements Step { // expect: R21 declared "Ordered"
      @Override
      public int next() {
        return order[0];
      }
    }
    step = new Ordered();
  }
}
