// A transient class that is a list of the JDK: nobody can reset the list's fields.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;

class Slices extends ReflexTask {
  private int size;

  static final class Slice extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public void execute() {
    Slice slice = new Slice(); // expect: R26 "Slice" "java.util.ArrayList"
    slice.add("t0");
    size = slice.size();
  }
}
