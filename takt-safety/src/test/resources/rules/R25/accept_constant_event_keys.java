// Adding values of all widths to an event that the release gets.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Widths extends ReflexTask {
  private byte small;
  private float medium;

  @Override
  public void execute() {
    Event event = event();
    event.add("small", small++).add("medium", medium).add("letter", 'c').add("flag", small > 3);
    event.add("text", small > 5 ? "many" : "few");
    write(event);
  }
}
