// An event is not immutable; write it into the space instead.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Inbox extends ReflexTask {
  private long received;

  @Atomic
  public void deliver(Event event) { // expect: R17 declared "deliver" "dev.takt.space.Event"
    received += event.size();
  }

  @Override
  public void execute() {
    received--;
  }
}
