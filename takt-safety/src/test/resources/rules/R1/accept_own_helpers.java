// A pricing task whose helpers are all in the program.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

class Pricer extends ReflexTask {
  private Handle ticks;
  private double fair;

  @Override
  public void initialize() {
    ticks = subscribe(new Event("tick", null));
  }

  @Override
  public void execute() {
    for (Event tick : ticks) {
      fair = Blend.of(fair, tick.getDouble("tick"));
    }
    write(new Event("fair", fair));
  }
}

final class Blend {
  private static final double WEIGHT = 0.25;

  private Blend() {}

  static double of(double old, double latest) {
    return old + WEIGHT * (latest - old);
  }
}
