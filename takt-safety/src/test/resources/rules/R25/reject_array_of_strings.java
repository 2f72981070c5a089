// An array of references.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Tags extends ReflexTask {
  private int sent;

  @Override
  public void execute() {
    sent++;
    String[] tags = {"engine", "left"};
    write(new Event("tags", tags)); // expect: R25 "java.lang.String[]"
  }
}
