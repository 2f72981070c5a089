package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** What can be looked at by index: the common ground of lists and queues. */
interface Sequence<E extends Stable> extends Iterable<E> {
  int size();

  E get(int index);
}
