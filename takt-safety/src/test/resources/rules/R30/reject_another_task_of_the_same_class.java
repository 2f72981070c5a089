// Another task of the same class is another task.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Hop extends ReflexTask {
  private Hop next;
  private int packets;

  @Atomic
  public void pass(int count) {
    if (next == null) {
      packets += count;
    } else {
      next.pass(count); // expect: R30 "pass"
    }
  }

  @Override
  public void execute() {
    packets--;
  }
}
