// A task that keeps the last event, which belongs to the release.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Keeper extends ReflexTask {
  private Event last; // expect: R8 declared "last" "dev.takt.space.Event"

  @Override
  public void execute() {
    last = take(new Event("tick", null));
  }
}
