// Ordinary code asks the driver, and hands the task the reading.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Boiler extends ReflexTask {
  private double level;
  private double alarmLevel = 80;

  @Atomic
  public void reading(double litres) {
    level = litres;
  }

  @Override
  public void execute() {
    if (level > alarmLevel) {
      alarmLevel = level;
    }
  }
}

class Driver {
  private native double read(int register);

  void poll(Boiler boiler) {
    boiler.reading(read(7));
  }
}
