// A static number that others change is how legacy code talks to a task.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Follower extends ReflexTask {
  static volatile int setPoint;
  private int value;

  @Override
  public void execute() {
    value += Integer.signum(setPoint - value);
  }
}
