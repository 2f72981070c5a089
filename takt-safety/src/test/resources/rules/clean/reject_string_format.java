// Formatting goes through locales, loggers and locks.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Messages extends ReflexTask {
  private int number;

  @Override
  public void execute() {
    write(new Event("text", String.format("%d", ++number))); // expect: R5 "format"
  }
}
