// A record of numbers and strings is copied deeply.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Status extends ReflexTask {
  private double level;

  public record Level(String tank, double litres, Unit unit) {}

  public record Unit(String name, int exponent) {}

  @Override
  public void execute() {
    level += 0.5;
    write(new Event("level", new Level("north", level, new Unit("l", 0))));
  }
}
