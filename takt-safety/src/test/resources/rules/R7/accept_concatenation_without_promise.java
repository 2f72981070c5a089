// String concatenation allocates; that is allowed where the task has not promised otherwise.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Namer extends ReflexTask {
  private int number;

  @Override
  public void execute() {
    number++;
    write(new Event("name", "probe-" + number));
  }
}
