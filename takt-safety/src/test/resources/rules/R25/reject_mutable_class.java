// An object of the program that can change after it was written.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Broadcast extends ReflexTask {
  private double speed;

  static final class Motion {
    double speed;
    Motion before;
  }

  @Override
  public void execute() {
    Motion motion = new Motion();
    motion.speed = speed++;
    Event event = new Event();
    event.add("motion", motion); // expect: R25 "Motion"
    write(event);
  }
}
