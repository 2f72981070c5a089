package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/**
 * A queue of {@code double}, first in, first out, that lives as long as its task: a ring.
 *
 * <p>All is O(1). A full queue is a sliding window: {@link #poll} the oldest, then {@link #offer}
 * the newest.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> 16 bytes for each of the capacity and 80 bytes for each 64.
 */
public final class StableDoubleQueue implements Stable {
  private final StableDoubleArray elements;
  private int head;
  private int size;

  /**
   * Makes an empty queue.
   *
   * @param capacity how many elements there can be, 1 to 16,777,216
   */
  public StableDoubleQueue(int capacity) {
    elements = new StableDoubleArray(Limits.checkCapacity("capacity", capacity));
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
   * Adds an element at the end.
   *
   * @return false if the queue is full; then it is as before
   */
  public boolean offer(double element) {
    if (isFull()) {
      return false;
    }
    elements.set(place(size), element);
    size = size + 1;
    return true;
  }

  /** Removes and returns the oldest element, or returns {@code ifEmpty} if there is none. */
  public double poll(double ifEmpty) {
    if (size == 0) {
      return ifEmpty;
    }
    double oldest = elements.get(head);
    head = place(1);
    size = size - 1;
    return oldest;
  }

  /** Returns the oldest element, or {@code ifEmpty} if there is none. */
  public double peek(double ifEmpty) {
    return size == 0 ? ifEmpty : elements.get(head);
  }

  /**
   * Returns an element.
   *
   * @param index 0 for the oldest
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public double get(int index) {
    Limits.checkIndex(index, size);
    return elements.get(place(index));
  }

  /** Removes all elements: O(1). */
  public void clear() {
    head = 0;
    size = 0;
  }

  private int place(int index) {
    int place = head + index;
    return place < elements.length() ? place : place - elements.length();
  }
}
