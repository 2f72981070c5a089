// A package-private method would be fine if ordinary code did not call it.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Uplink extends ReflexTask {
  private long sent;

  @Override
  public void execute() {
    send(1);
  }

  void send(int packets) {
    sent += packets;
  }
}

class Antenna {
  void kick(Uplink uplink) {
    uplink.send(3); // expect: R16 "send"
  }
}
