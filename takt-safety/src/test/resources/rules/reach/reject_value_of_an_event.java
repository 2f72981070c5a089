// The record comes out of an event that somebody else has written.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Task extends ReflexTask {
  private double x;

  @Override
  public void execute() {
    Event event = take(new Event("level", null));
    if (event != null && event.get("level") instanceof Level level) {
      x += level.filled();
    }
  }
}

record Level(double litres) {
  double filled() {
    System.gc(); // expect: R28 "System.gc"
    return litres;
  }
}
