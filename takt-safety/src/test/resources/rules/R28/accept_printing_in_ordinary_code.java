// Ordinary code prints what has been committed.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;

class Samples extends ReflexTask {
  private double volts;

  @Override
  public void execute() {
    volts += 0.1;
    write(new Event("volts", volts));
  }
}

class Printer {
  void drain(EventSpace space) {
    space.takeAll(new Event("volts", null), 10, event -> System.out.println(event));
  }
}
