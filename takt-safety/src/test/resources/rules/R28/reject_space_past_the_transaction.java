// Writing through the space itself bypasses the release's transaction.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;

class Bypass extends ReflexTask {
  private long sent;

  @Override
  public void execute() {
    publish(null, ++sent);
  }

  private static void publish(EventSpace space, long number) {
    space.write(new Event("number", number)); // expect: R28 "EventSpace"
  }
}
