// A cache that wants the collector to decide.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.lang.ref.WeakReference;

class Cache extends ReflexTask {
  private boolean cached;

  record Page(int number) {}

  @Override
  public void execute() {
    Page page = new Page(4);
    cached = new WeakReference<>(page) != null; // expect: R4 "WeakReference"
  }
}
