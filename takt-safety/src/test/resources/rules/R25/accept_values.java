// Values of all permitted kinds.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Announcer extends ReflexTask {
  private long price;

  @Override
  public void execute() {
    Event event = new Event("symbol", "APPL");
    event.add("price", price);
    event.add("size", Integer.valueOf(3));
    event.add("firm", true);
    event.add("depth", new long[] {1, 2, 3});
    write(event);
  }
}
