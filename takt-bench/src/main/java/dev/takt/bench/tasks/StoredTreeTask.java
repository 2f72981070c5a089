package dev.takt.bench.tasks;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

/** Keeps a balanced search tree of many nodes, and changes some of them in each release. */
public final class StoredTreeTask extends ReflexTask {
  /** How much a node takes, with its share of what surrounds it. */
  private static final long NODE_BYTES = 64;

  private static final int CHANGES = 4;

  /** A node: two numbers and two references. */
  static final class Node implements Stable {
    long key;
    long value;
    Node left;
    Node right;

    Node(long key, Node left, Node right) {
      this.key = key;
      this.left = left;
      this.right = right;
    }
  }

  private int size;
  private Node root;
  private long random;

  /**
   * Makes it.
   *
   * @param size how many nodes
   */
  public StoredTreeTask(int size) {
    this(size, size);
  }

  /**
   * Makes it.
   *
   * @param size how many nodes; 0: those that are recovered, or one
   * @param capacity how many there is memory for
   */
  public StoredTreeTask(int size, int capacity) {
    super(1 << 16, (int) Math.min(Integer.MAX_VALUE - 8, NODE_BYTES * capacity + (1 << 20)));
    this.size = size;
    this.root = tree(0, size);
  }

  private static Node tree(int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = from + to >>> 1;
    return new Node(middle, tree(from, middle), tree(middle + 1, to));
  }

  @Override
  public void execute() {
    if (root == null) {
      root = new Node(0, null, null); // what releases make can be recovered
      size = 1;
    }
    for (int i = 0; i < CHANGES; i++) {
      random = random * 0x5DEECE66DL + 0xBL;
      long key = (random >>> 16 & Integer.MAX_VALUE) % size;
      Node at = root;
      while (at.key != key) {
        at = key < at.key ? at.left : at.right;
      }
      at.value += key;
    }
  }
}
