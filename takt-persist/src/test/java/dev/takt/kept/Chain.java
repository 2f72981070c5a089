package dev.takt.kept;

import dev.takt.reflex.ReflexTask;

/** A task with a long list. */
public final class Chain extends ReflexTask {
  private Node first;

  /** Makes the list. */
  public Chain(int length) {
    super(1 << 10, Integer.MAX_VALUE);
    Node node = null;
    for (int i = length; i > 0; i--) {
      Node before = new Node(null);
      before.count(i);
      before.left(node);
      node = before;
    }
    first = node;
  }

  @Override
  public void execute() {}

  /** Returns the first node. */
  public Node first() {
    return first;
  }
}
