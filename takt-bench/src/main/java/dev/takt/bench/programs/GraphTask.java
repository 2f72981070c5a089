package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;

/**
 * The application of Persistence 5.2: a directed weighted graph, whose connections are changed and
 * whose nodes are then deleted one by one. A release does one of these steps.
 *
 * <p>What is static is for the program around it: it is not called while a release runs.
 */
public final class GraphTask extends ReflexTask {
  /** How many releases change connections, before each deletes a node. */
  public static final int CHANGES = 200;

  private static final int CHANGED_EDGES = 25;

  private Vertex root;
  private int steps;

  /** Makes the task. */
  public GraphTask() {
    super(1 << 16, 1 << 24);
  }

  @Override
  public void execute() {
    if (root == null) {
      return;
    }
    if (steps < CHANGES) {
      steps++;
      changeEdges();
    } else {
      delete();
    }
  }

  /** Points some connections of a node to the node after the one that they led to. */
  private void changeEdges() {
    Vertex vertex = root;
    for (int i = steps % 17; i > 0 && vertex.next != null; i--) {
      vertex = vertex.next;
    }
    Edge edge = vertex.edges;
    for (int i = 0; i < CHANGED_EDGES && edge != null; i++) {
      edge.weight += steps;
      edge.to = edge.to.next == null ? root : edge.to.next;
      edge = edge.next;
    }
  }

  private void delete() {
    Vertex gone = root;
    root = gone.next;
    for (Vertex vertex = root; vertex != null; vertex = vertex.next) {
      while (vertex.edges != null && vertex.edges.to == gone) {
        vertex.edges = vertex.edges.next;
      }
      Edge before = vertex.edges;
      while (before != null && before.next != null) {
        if (before.next.to == gone) {
          before.next = before.next.next;
        } else {
          before = before.next;
        }
      }
    }
  }

  /** Makes so many nodes, each with a connection to each that was made before it. */
  public static void fill(ReflexTask task, int size) {
    GraphTask graph = (GraphTask) task;
    graph.root = null;
    graph.steps = 0;
    for (int i = 0; i < size; i++) {
      Vertex vertex = new Vertex(i, graph.root);
      for (Vertex each = graph.root; each != null; each = each.next) {
        vertex.edges = new Edge(each, i + each.id, vertex.edges);
      }
      graph.root = vertex;
    }
  }

  /** Returns a number that all values and references of such a graph go into. */
  public static long checksum(Object root) {
    long sum = 1;
    for (Vertex vertex = (Vertex) root; vertex != null; vertex = vertex.next) {
      sum = sum * 31 + vertex.id + Double.doubleToLongBits(vertex.weight);
      for (Edge edge = vertex.edges; edge != null; edge = edge.next) {
        sum = sum * 31 + 17L * edge.weight + edge.to.id;
      }
    }
    return sum;
  }
}
