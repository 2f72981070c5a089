// A map of the JDK, for the time of a release.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.HashMap;
import java.util.Map;

class Histogram extends ReflexTask {
  private int most;

  @Override
  public void execute() {
    Map<String, Integer> counts = new HashMap<>();
    counts.put("rpm", 1);
    counts.merge("rpm", 1, (a, b) -> a + b);
    counts.put("oil", counts.getOrDefault("oil", 0) + 1);
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      if (entry.getKey().equals("rpm")) {
        most = Math.max(most, entry.getValue());
      }
    }
    if (counts.containsKey("oil")) {
      counts.remove("oil");
    }
  }
}
