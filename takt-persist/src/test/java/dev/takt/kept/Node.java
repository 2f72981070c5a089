package dev.takt.kept;

import dev.takt.reflex.stable.StableArray;
import dev.takt.space.Stable;

/** A stable object with fields of all types, references that make circles, and arrays. */
public class Node implements Stable {
  private boolean open;
  private byte grade;
  private short branch;
  private char letter;
  private int count;
  private long balance;
  private float rate;
  private double limit;
  private String name;
  private Long boxed;
  private Color color;
  private Pair pair;
  private Node left;
  private Node right;
  private final StableArray<Node> many;
  private int[] data;

  /** Not stored. */
  private transient int cache;

  /** Makes one that is alone. */
  public Node() {
    this(new StableArray<>(5));
  }

  Node(StableArray<Node> many) {
    this.many = many;
  }

  /** Changes one field, chosen by a number. */
  public void change(long order, Node other) {
    int value = (int) (order >>> 8);
    switch ((int) (order & 15)) {
      case 0 -> open = !open;
      case 1 -> grade = (byte) value;
      case 2 -> branch = (short) value;
      case 3 -> letter = (char) value;
      case 4 -> count = value;
      case 5 -> balance = order;
      case 6 -> rate = value;
      case 7 -> limit = Double.longBitsToDouble(order);
      case 8 -> name = (value & 1) == 0 ? null : (value & 2) == 0 ? "ä\u4e2d" : "b";
      case 9 -> boxed = (value & 1) == 0 ? null : Long.valueOf(value & 63);
      case 10 -> color = (value & 3) == 0 ? null : (value & 1) == 0 ? Color.RED : Color.GREEN;
      case 11 -> pair = other == null ? null : other.pair;
      case 12 -> left = other;
      case 13 -> right = other;
      case 14 -> many.set(value & 3, other);
      default -> number(value);
    }
    cache = value;
  }

  private void number(int value) {
    if (data == null) {
      data = new int[7];
    }
    data[value & 3] = value;
  }

  /** Refers to a pair. */
  public void pair(Pair value) {
    pair = value;
  }

  /** Returns what {@link #change} may have set. */
  public Node left() {
    return left;
  }

  /** Links to another one. */
  public void left(Node value) {
    left = value;
  }

  /** Sets a number. */
  public void count(int value) {
    count = value;
  }

  /** Returns the number. */
  public int count() {
    return count;
  }
}
