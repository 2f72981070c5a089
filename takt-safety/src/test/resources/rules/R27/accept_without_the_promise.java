// A task that has promised nothing may allocate.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Scheduler extends ReflexTask {
  private int jobs;

  @Override
  public void execute() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      order.add(i * 1_000);
    }
    for (Integer each : order) {
      jobs += each;
    }
    double[] scratch = new double[jobs & 15];
    jobs += scratch.length;
  }
}
