// A wildcard in a template.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Waiting extends ReflexTask {
  private boolean ready;

  @Override
  public void execute() {
    ready = test(new Event("ready", null).add("channel", 4));
  }
}
