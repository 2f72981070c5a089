// The offending field is two classes up.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Line extends ReflexTask {
  private final Robot robot = new Robot();

  @Override
  public void execute() {
    robot.cycles++;
  }
}

class Device {
  Runnable onFault;
}

class Machine extends Device {
  int number;
}

class Robot extends Machine implements Stable { // expect: R9 declared "onFault" "Device"
  long cycles;
}
