// Immutable records in both directions; what goes out is copied by the guard.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Kiln extends ReflexTask {
  private double target;
  private double actual;

  record Command(double celsius, String by) {}

  record State(double target, double actual) {}

  @Atomic
  public void command(Command command) {
    target = command.celsius();
  }

  @Atomic
  public State state() {
    return new State(target, actual);
  }

  @Override
  public void execute() {
    actual += (target - actual) * 0.01;
  }
}
