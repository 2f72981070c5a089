// A transient list of the JDK, filled with stable objects for the time of the release.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;
import java.util.ArrayList;

class Alarms extends ReflexTask {
  private final Alarm first = new Alarm();
  private final Alarm second = new Alarm();

  @Override
  public void execute() {
    ArrayList<Alarm> raised = new ArrayList<>();
    raised.add(first);
    raised.add(second);
    for (Alarm alarm : raised) {
      alarm.count++;
    }
  }
}

class Alarm implements Stable {
  int count;
}
