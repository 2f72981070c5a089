// hole: there is no channel yet that capsules could be sent through (streams come later), so the
// use after the call of a method named send is not seen as one after sending
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;

class Sender extends ReflexTask {
  private int count;

  @Override
  public void execute() {
    Datum datum = new Datum();
    send(datum);
    datum.sequence++;
  }

  private void send(Datum datum) {
    count += datum.sequence;
  }
}

final class Datum implements Capsule {
  int sequence;
}
