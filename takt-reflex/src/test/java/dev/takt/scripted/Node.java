package dev.takt.scripted;

/** A transient object of tests; it counts 24 bytes. */
public final class Node {
  public final int value;
  public final Node next;

  private Node(int value, Node next) {
    this.value = value;
    this.next = next;
  }

  /** Makes one, from a pool if a release does. */
  public static Node of(int value, Node next) {
    return new Node(value, next);
  }
}
