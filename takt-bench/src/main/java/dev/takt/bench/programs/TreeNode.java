package dev.takt.bench.programs;

import dev.takt.space.Stable;
import java.io.Serializable;

/** A node of the red-black tree of Persistence 5.1: several primitive fields, two references. */
public final class TreeNode implements Stable, Serializable {
  private static final long serialVersionUID = 1L;

  int key;
  long count;
  double weight;
  boolean red;
  TreeNode left;
  TreeNode right;

  /** For peers that make an instance before they fill it. */
  public TreeNode() {}

  TreeNode(int key) {
    this.key = key;
    count = 31L * key;
    weight = key / 8.0;
    red = true;
  }
}
