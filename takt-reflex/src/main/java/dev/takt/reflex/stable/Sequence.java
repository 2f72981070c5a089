package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import java.util.Iterator;

/** What can be looked at by index: the common ground of lists and queues. */
abstract sealed class Sequence<E extends Stable> implements Stable, Iterable<E>
    permits StableList, StableQueue {
  final StableArray<E> elements;
  int size;

  Sequence(int capacity) {
    elements = new StableArray<>(Limits.checkCapacity("capacity", capacity));
  }

  /** Returns the number of elements. */
  public int size() {
    return size;
  }

  /** Returns how many elements there can be. */
  public int capacity() {
    return elements.length();
  }

  /** Returns whether there are no elements. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns whether there are as many elements as there can be. */
  public boolean isFull() {
    return size == elements.length();
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public abstract E get(int index);

  @Override
  public Iterator<E> iterator() {
    return new SequenceIterator<>(this);
  }
}
