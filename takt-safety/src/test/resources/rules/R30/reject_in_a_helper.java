// The same one helper away.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Inlet extends ReflexTask {
  private final Outlet outlet;
  private double flow;

  Inlet(Outlet outlet) {
    this.outlet = outlet;
  }

  @Atomic
  public void flow(double litres) {
    flow = litres;
    balance();
  }

  private void balance() {
    outlet.flow(flow); // expect: R30 "flow"
  }

  @Override
  public void execute() {
    flow *= 0.9;
  }
}

class Outlet extends ReflexTask {
  private double flow;

  @Atomic
  public void flow(double litres) {
    flow = litres;
  }

  @Override
  public void execute() {
    flow *= 0.8;
  }
}
