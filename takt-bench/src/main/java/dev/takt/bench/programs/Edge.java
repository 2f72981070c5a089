package dev.takt.bench.programs;

import dev.takt.space.Stable;

/** A connection of the directed weighted graph of Persistence 5.2. */
final class Edge implements Stable {
  int weight;
  Vertex to;
  Edge next;

  Edge(Vertex to, int weight, Edge next) {
    this.to = to;
    this.weight = weight;
    this.next = next;
  }
}
