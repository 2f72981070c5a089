package dev.takt.handwoven;

import dev.takt.reflex.memory.Pooled;
import dev.takt.reflex.memory.Pools;
import dev.takt.reflex.memory.Raw;
import dev.takt.reflex.memory.TaskMemory;
import dev.takt.reflex.memory.Woven;

/** A transient class as the weaver makes it, written by hand; an object counts 24 bytes. */
@Woven(abi = Woven.ABI)
public final class Node implements Pooled {
  private static final int SLOT = Pools.register(new Node((Raw) null));

  public int value;
  public Node next;

  private Node(Raw raw) {}

  public static Node $takt$new() {
    TaskMemory memory = TaskMemory.current();
    return memory != null ? (Node) memory.next(SLOT) : new Node((Raw) null);
  }

  public Node $takt$init(int value, Node next) {
    this.value = value;
    this.next = next;
    return this;
  }

  /** {@code new Node(value, next)}. */
  public static Node of(int value, Node next) {
    return $takt$new().$takt$init(value, next);
  }

  @Override
  public Object $takt$fresh() {
    return new Node((Raw) null);
  }
}
