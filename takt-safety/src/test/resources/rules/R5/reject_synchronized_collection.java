// Old collections lock at each call.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.Vector;

class History extends ReflexTask {
  private int size;

  @Override
  public void execute() {
    Vector<String> lines = new Vector<>(); // expect: R5 "Vector"
    lines.add("sample"); // expect: R5 "Vector"
    size++;
  }
}
