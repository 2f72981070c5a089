// Waiting for something is a state that each release looks at, not a sleep.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Retry extends ReflexTask {
  private long againAtNs;
  private int attempts;

  @Override
  public void execute() {
    long nowNs = System.nanoTime();
    if (nowNs - againAtNs < 0) {
      return;
    }
    againAtNs = nowNs + 1_000_000L * ++attempts;
    write(new Event("attempt", attempts));
  }
}
