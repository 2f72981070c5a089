package dev.takt.stress.rollback.graph;

import dev.takt.space.Stable;

/** A generic stable class. */
final class Box<T extends Stable> implements Stable, Peer {
  private T content;
  private int uses;

  T put(T next) {
    T before = content;
    content = next;
    uses++;
    return before;
  }

  @Override
  public long weight() {
    return uses;
  }
}
