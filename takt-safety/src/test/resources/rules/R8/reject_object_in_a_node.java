// A stable node that can hold anything.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Chain extends ReflexTask {
  private final Node head = new Node();

  @Override
  public void execute() {
    head.next = new Node();
  }
}

class Node implements Stable {
  Node next;
  Object value; // expect: R8 declared "value" "java.lang.Object"
}
