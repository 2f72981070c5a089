package dev.takt.bench.programs;

import dev.takt.space.Stable;

/** A node of the directed weighted graph of Persistence 5.2. */
final class Vertex implements Stable {
  int id;
  double weight;
  Edge edges;
  Vertex next;

  Vertex(int id, Vertex next) {
    this.id = id;
    this.next = next;
    weight = id / 4.0;
  }
}
