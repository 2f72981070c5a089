package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of stable objects, first in, first out, that lives as long as its task: a ring.
 *
 * <p>All is O(1), except {@link #clear}. The iterator goes from the oldest to the newest; a removal
 * meanwhile makes it skip one.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> 8 bytes for each of the capacity and 80 bytes for each 64, with compressed
 * references.
 *
 * @param <E> the elements
 */
public final class StableQueue<E extends Stable> extends Sequence<E> {
  private int head;

  /**
   * Makes an empty queue.
   *
   * @param capacity how many elements there can be, 1 to 16,777,216
   */
  public StableQueue(int capacity) {
    super(capacity);
  }

  /**
   * Adds an element at the end.
   *
   * @return false if the queue is full; then it is as before
   */
  public boolean offer(E element) {
    Objects.requireNonNull(element, "element");
    if (isFull()) {
      return false;
    }
    elements.set(place(size), element);
    size = size + 1;
    return true;
  }

  /** Removes and returns the oldest element, or returns null if there is none. */
  public @Nullable E poll() {
    if (size == 0) {
      return null;
    }
    E oldest = elements.get(head);
    elements.set(head, null);
    head = place(1);
    size = size - 1;
    return oldest;
  }

  /** Returns the oldest element, or null if there is none. */
  public @Nullable E peek() {
    return size == 0 ? null : elements.get(head);
  }

  /**
   * Returns an element.
   *
   * @param index 0 for the oldest
   * @throws IndexOutOfBoundsException if there is no such element
   */
  @Override
  public E get(int index) {
    Limits.checkIndex(index, size);
    return elements.present(place(index));
  }

  /** Removes all elements: O(size). */
  public void clear() {
    for (int i = 0; i < size; i++) {
      elements.set(place(i), null);
    }
    head = 0;
    size = 0;
  }

  private int place(int index) {
    int place = head + index;
    return place < elements.length() ? place : place - elements.length();
  }
}
