// The time of day is on the list.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Stamps extends ReflexTask {
  private long atMs;

  @Override
  public void execute() {
    atMs = System.currentTimeMillis();
  }
}
