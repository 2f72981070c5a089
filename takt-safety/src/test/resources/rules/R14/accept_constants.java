// StaticConstants: numbers, a string, an enum, an immutable record.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Fees extends ReflexTask {
  static final double RATE = 0.0005;
  static final String KEY = "fee";
  static final Plan PLAN = new Plan("standard", 3);
  private double paid;

  record Plan(String name, int tier) {}

  @Override
  public void execute() {
    paid += RATE * PLAN.tier();
    write(new Event(KEY, paid));
  }
}
