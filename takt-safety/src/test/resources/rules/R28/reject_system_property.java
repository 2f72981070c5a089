// A system property stays set when the release is undone.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Flags extends ReflexTask {
  private boolean on;

  @Override
  public void execute() {
    on = !on;
    System.setProperty("telemetry.on", on ? "yes" : "no"); // expect: R28 "setProperty"
  }
}
