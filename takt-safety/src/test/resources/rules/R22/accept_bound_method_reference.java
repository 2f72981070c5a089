// A method reference bound to a transient object, in a task that promises to allocate nothing:
// it comes from a pool.
// layer: both
package telemetry;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import java.util.function.IntPredicate;

@NoAlloc
class Selector extends ReflexTask {
  private int selected;

  record Range(int low, int high) {
    boolean holds(int value) {
      return value >= low && value < high;
    }
  }

  @Override
  public void execute() {
    Range range = new Range(1, 5);
    IntPredicate filter = range::holds;
    for (int i = 0; i < 8; i++) {
      if (filter.test(i)) {
        selected++;
      }
    }
  }
}
