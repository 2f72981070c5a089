// A linked list of transient nodes that dies with the release.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Burst extends ReflexTask {
  private long sum;

  private static final class Node {
    final long value;
    final Node next;

    Node(long value, Node next) {
      this.value = value;
      this.next = next;
    }
  }

  @Override
  public void execute() {
    Node head = null;
    for (int i = 0; i < 20; i++) {
      head = new Node(sum + i, head);
    }
    for (Node node = head; node != null; node = node.next) {
      sum += node.value;
    }
  }
}
