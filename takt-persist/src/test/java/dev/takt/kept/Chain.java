package dev.takt.kept;

import dev.takt.reflex.ReflexTask;

/** A task with a long list. */
public final class Chain extends ReflexTask {
  private static final long NODE_BYTES = 128;

  /** What a list that is recovered may take, however short the one of the constructor is. */
  private static final long LEAST_BYTES = 64 << 20;

  private Node first;

  /** Makes the list. */
  public Chain(int length) {
    // No more than is needed: the log of a release is reserved for all of it.
    super(1 << 10, (int) Math.min(Integer.MAX_VALUE, LEAST_BYTES + NODE_BYTES * length));
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
