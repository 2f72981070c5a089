package dev.takt.bench.programs;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * The application of Persistence 5.2: a directed graph with weights, of {@value #OBJECTS} objects,
 * whose connections change, and whose nodes then go one by one. For plain threads: each step is an
 * update.
 */
@Persistent
public final class PlainGraph implements Runnable {
  /** How many nodes it has at first. */
  public static final int NODES = 51;

  /** The nodes, and an edge for each two of them. */
  public static final int OBJECTS = NODES + NODES * (NODES - 1) / 2;

  /** How many updates a run of it has. */
  public static final int UPDATES = 3 * NODES;

  private Node first;
  private int count;

  /** A node, with the edges that begin there. */
  @Persistent
  static final class Node {
    private final int number;
    private Node next;
    private Edge edges;

    Node(int number, Node next) {
      this.number = number;
      this.next = next;
    }
  }

  /** An edge. */
  @Persistent
  static final class Edge {
    private Node to;
    private double weight;
    private Edge next;

    Edge(Node to, double weight, Edge next) {
      this.to = to;
      this.weight = weight;
      this.next = next;
    }
  }

  /** Makes an empty graph. */
  public PlainGraph() {}

  /** Makes all nodes, changes the connections of each, and takes each out. */
  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void run() {
    for (int i = 0; i < NODES; i++) {
      add();
    }
    for (int i = 0; i < NODES; i++) {
      change(i);
    }
    for (int i = 0; i < NODES; i++) {
      remove(i);
    }
  }

  /** Makes a node, with an edge to each of those that are there. */
  @PersistentUpdate
  public void add() {
    Node added = new Node(count, first);
    for (Node each = first; each != null; each = each.next) {
      added.edges = new Edge(each, count - each.number, added.edges);
    }
    first = added;
    count++;
  }

  /** Changes the connections of a node: each edge leads to the next node. */
  @PersistentUpdate
  public void change(int number) {
    for (Edge each = node(number).edges; each != null; each = each.next) {
      each.weight += 1;
      each.to = each.to.next == null ? first : each.to.next;
    }
  }

  /** Takes a node out, with the edges that begin there. */
  @PersistentUpdate
  public void remove(int number) {
    Node before = null;
    for (Node each = first; each != null; each = each.next) {
      if (each.number == number) {
        each.edges = null;
        if (before == null) {
          first = each.next;
        } else {
          before.next = each.next;
        }
        count--;
        return;
      }
      before = each;
    }
  }

  private Node node(int number) {
    Node at = first;
    while (at.number != number) {
      at = at.next;
    }
    return at;
  }
}
