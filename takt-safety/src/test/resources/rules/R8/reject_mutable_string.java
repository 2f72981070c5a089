// A string that changes: neither final nor primitive.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Status extends ReflexTask {
  private String text = "starting"; // expect: R8 declared "text" "java.lang.String"
  private int releases;

  @Override
  public void execute() {
    if (++releases == 10) {
      text = "running";
    }
  }
}
