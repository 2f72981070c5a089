// A meter without references is reference-immutable, although its numbers change.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Link extends ReflexTask {
  private final Meter received;
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
