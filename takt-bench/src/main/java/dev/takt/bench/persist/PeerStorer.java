package dev.takt.bench.persist;

import java.io.IOException;

/** A peer that stores plain objects. */
abstract class PeerStorer implements Storer {
  private final StoredGraph graph;

  PeerStorer(StoredShape shape, int size) throws ReflectiveOperationException {
    graph = shape.plain();
    graph.fill(size);
  }

  @Override
  public final StoredGraph graph() {
    return graph;
  }

  @Override
  public void close() throws IOException {}
}
