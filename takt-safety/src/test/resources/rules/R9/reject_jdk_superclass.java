// A stable class that is a list of the JDK brings the list's fields along.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;
import java.util.ArrayList;

class Journal extends ReflexTask {
  private final Lines lines = new Lines();

  @Override
  public void execute() {
    lines.trimToSize();
  }
}

class Lines extends ArrayList<String> implements Stable { // expect: R9 declared "java.util."
  private static final long serialVersionUID = 1L;
}
