// A constant record, whose list can change.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Profiles extends ReflexTask {
  record Profile(String name, List<String> tags) {}

  static final Profile PROFILE = new Profile("default", new ArrayList<>());
  private int count;

  @Override
  public void execute() {
    count += PROFILE.tags().size(); // expect: R14 "PROFILE"
  }
}
