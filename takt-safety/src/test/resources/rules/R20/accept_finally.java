// A finally block may run: what it writes is undone with the rest.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Batch extends ReflexTask {
  private boolean busy;
  private int batches;

  @Override
  public void execute() {
    busy = true;
    try {
      write(new Event("batch", ++batches));
    } finally {
      busy = false;
    }
  }
}
