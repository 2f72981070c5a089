// The outer object of this stable class is transient.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Frames extends ReflexTask {
  private Packet.Header header;

  @Override
  public void execute() {
    header = new Packet().header();
  }
}

class Packet {
  private int length = 64;

  Header header() {
    return new Header();
  }

  class Header implements Stable { // expect: R21 declared "Header"
    int length() {
      return length;
    }
  }
}
