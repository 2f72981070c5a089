// Publishing with an event.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Publisher extends ReflexTask {
  private double reading;

  @Override
  public void execute() {
    reading += 0.25;
    write(new Event("reading", reading));
  }
}
