package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import java.util.Iterator;

/** Iterates by index: a transient object of the release that asks for it. */
final class SequenceIterator<E extends Stable> implements Iterator<E> {
  private final Sequence<E> sequence;
  private int next;

  SequenceIterator(Sequence<E> sequence) {
    this.sequence = sequence;
  }

  @Override
  public boolean hasNext() {
    return next < sequence.size();
  }

  @Override
  public E next() {
    if (next >= sequence.size()) {
      throw Limits.noMore(next);
    }
    return sequence.get(next++);
  }
}
