// A public field of a task.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Tank extends ReflexTask {
  public double level; // expect: R16 declared "level"

  @Override
  public void execute() {
    level += 0.01;
  }
}
