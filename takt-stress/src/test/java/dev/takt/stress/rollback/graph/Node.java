package dev.takt.stress.rollback.graph;

import dev.takt.space.Stable;

/** The first of three levels: fields of all primitive types and of several reference types. */
abstract class Node extends Thing implements Stable {
  protected static final int KINDS = 14;

  private boolean flag;
  byte small;
  protected short two;
  private char letter;
  int own;
  protected long wide;
  float single;
  private double twice;
  protected Node left;
  Node right;
  private Peer peer;
  private Box<Node> box;
  final int number;

  Node(int number) {
    this.number = number;
    wide = number;
  }

  /** Changes something of this object, or of another one through this. */
  void change(long random, Node other) {
    switch (Case.below(random, KINDS)) {
      case 0 -> flag = !flag;
      case 1 -> small += (byte) random;
      case 2 -> two ^= (short) (random >>> 40);
      case 3 -> letter = (char) (random >>> 20);
      case 4 -> own++;
      case 5 -> wide = wide * 31 + random;
      case 6 -> single = Case.below(random, 1 << 20) / 3f;
      case 7 -> {
        twice += 1.0 / (1 + Case.below(random, 100));
        base = -twice;
      }

      case 8 -> left = other;
      case 9 -> right = (random & 1 << 12) == 0 ? null : other;
      case 10 -> peer = other instanceof Peer next ? next : box;
      case 11 -> {
        if (box != null) {
          left = box.put(other);
        }
      }
      case 12 -> {
        Node far = left == null ? other : left;
        far.own += 3;
        far.wide ^= random;
        far.twice = -far.twice;
      }
      default -> {
        wide += peer == null ? 1 : peer.weight();
        box = other.box == null ? box : other.box;
      }
    }
  }

  void give(Box<Node> box) {
    this.box = box;
  }

  abstract long sum();
}
