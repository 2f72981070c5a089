// A capsule in a local, sent last.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;

class Source extends ReflexTask {
  private int sequence;

  @Override
  public void execute() {
    Frame frame = new Frame();
    frame.sequence = sequence++;
    send(frame);
  }

  private void send(Capsule capsule) {
    sequence += capsule == null ? 0 : 1;
  }
}

final class Frame implements Capsule {
  int sequence;
  double volts;
}
