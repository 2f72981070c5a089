// A meter is meant to keep what releases that are undone have counted, and says so.
// layer: both
package telemetry;

import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;

class Link extends ReflexTask {
  @NotUndone private final Meter received;
  private long bytes;

  Link(Meter received) {
    this.received = received;
  }

  @Override
  public void execute() {
    bytes += 128;
    received.count = bytes;
  }
}

final class Meter {
  long count;
}
