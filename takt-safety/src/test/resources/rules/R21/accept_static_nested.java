// A static nested stable class.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Stack extends ReflexTask {
  private Node top;

  static final class Node implements Stable {
    long price;
    Node below;
  }

  @Override
  public void execute() {
    Node node = new Node();
    node.price = top == null ? 1 : top.price + 1;
    node.below = top;
    top = node;
  }
}
