// A rule engine that finds its rule by name in each release.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class WeaveRun extends ReflexTask {
  private int found;

  @Override
  public void execute() {
    try {
      Class.forName("trading.SpreadRule"); // expect: R3 "forName"
      found++;
    } catch (ClassNotFoundException e) {
      found = 0;
    }
  }
}
