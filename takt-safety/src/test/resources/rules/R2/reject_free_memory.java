// A health probe that asks the JVM for its free memory.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Health extends ReflexTask {
  private long freeBytes;

  @Override
  public void execute() {
    freeBytes = Runtime.getRuntime().freeMemory(); // expect: R2 "freeMemory"
  }
}
