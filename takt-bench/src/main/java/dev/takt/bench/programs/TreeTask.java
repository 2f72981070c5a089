package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;

/**
 * Persistence 5.1: a red-black tree of composite objects. A release adds a node as long as there
 * are to be more.
 *
 * <p>What is static is for the program around it: it is not called while a release runs.
 */
public final class TreeTask extends ReflexTask {
  /** Spreads keys, so that they come in no order: odd, so that none comes twice. */
  private static final int STRIDE = 0x9E37_79B1;

  private TreeNode root;
  private int nodes;
  private int wanted;

  /** Makes the task. */
  public TreeTask() {
    super(1 << 16, Integer.MAX_VALUE);
  }

  @Override
  public void execute() {
    if (nodes < wanted) {
      add();
    }
  }

  /** Makes a tree of so many nodes. */
  public static void fill(ReflexTask task, int size) {
    TreeTask tree = (TreeTask) task;
    tree.root = null;
    tree.nodes = 0;
    tree.wanted = size;
    while (tree.nodes < size) {
      tree.add();
    }
  }

  /** Returns a number that all values and references of such a tree go into. */
  public static long checksum(Object root) {
    return checksum((TreeNode) root);
  }

  private static long checksum(TreeNode node) {
    if (node == null) {
      return 1;
    }
    long own = node.key + 31 * node.count + Double.doubleToLongBits(node.weight);
    return (own * 31 + (node.red ? 1 : 2)) * 31 + checksum(node.left) * 17 + checksum(node.right);
  }

  private void add() {
    root = insert(root, nodes * STRIDE);
    root.red = false;
    nodes++;
  }

  private static TreeNode insert(TreeNode node, int key) {
    if (node == null) {
      return new TreeNode(key);
    }
    if (key < node.key) {
      TreeNode left = insert(node.left, key);
      if (left != node.left) {
        node.left = left;
      }
    } else {
      TreeNode right = insert(node.right, key);
      if (right != node.right) {
        node.right = right;
      }
    }
    return balanced(node);
  }

  /** Left-leaning, as Sedgewick has it. */
  private static TreeNode balanced(TreeNode node) {
    TreeNode top = node;
    if (isRed(top.right) && !isRed(top.left)) {
      TreeNode right = top.right;
      top.right = right.left;
      right.left = top;
      right.red = top.red;
      top.red = true;
      top = right;
    }
    if (isRed(top.left) && isRed(top.left.left)) {
      TreeNode left = top.left;
      top.left = left.right;
      left.right = top;
      left.red = top.red;
      top.red = true;
      top = left;
    }
    if (isRed(top.left) && isRed(top.right)) {
      top.red = true;
      top.left.red = false;
      top.right.red = false;
    }
    return top;
  }

  private static boolean isRed(TreeNode node) {
    return node != null && node.red;
  }
}
