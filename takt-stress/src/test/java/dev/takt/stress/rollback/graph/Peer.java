package dev.takt.stress.rollback.graph;

import dev.takt.space.Stable;

/** The type of fields that hold stable objects of classes that have nothing else in common. */
interface Peer extends Stable {
  long weight();
}
