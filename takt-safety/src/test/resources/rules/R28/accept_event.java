// The effect is an event, which happens if and when the release commits.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Alerts extends ReflexTask {
  private int level;

  @Override
  public void execute() {
    if (++level > 3) {
      write(new Event("alert", level));
    }
  }
}
