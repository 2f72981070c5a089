// An identity hash of an object that comes back in later releases.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Marker extends ReflexTask {
  private int hash;

  static final class Ticket {
    long number;
  }

  @Override
  public void execute() {
    Ticket ticket = new Ticket();
    hash ^= System.identityHashCode(ticket); // expect: R26 "identityHashCode"
  }
}
