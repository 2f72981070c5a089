// A task that waits for the rest of its period by itself.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.locks.LockSupport;

class Stepper extends ReflexTask {
  private int steps;

  @Override
  public void execute() {
    steps++;
    pause();
  }

  private static void pause() {
    LockSupport.parkNanos(50_000); // expect: R5 "parkNanos"
  }
}
