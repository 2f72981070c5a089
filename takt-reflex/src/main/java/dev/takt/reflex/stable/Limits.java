package dev.takt.reflex.stable;

import java.util.NoSuchElementException;

/**
 * Checks of arguments, and the errors that say what was asked, what the limit is and the remedy.
 */
final class Limits {
  /** The largest capacity of a collection. */
  static final int MAX_CAPACITY = 1 << 24;

  private Limits() {}

  static int checkCapacity(String name, int capacity) {
    return checkCapacity(name, capacity, MAX_CAPACITY);
  }

  static int checkCapacity(String name, int capacity, int maxCapacity) {
    if (capacity < 1 || capacity > maxCapacity) {
      throw new IllegalArgumentException(
          name + "=" + capacity + " (expected: 1 to " + maxCapacity + ")");
    }
    return capacity;
  }

  /** Checks that an index is less than the number of elements. */
  static void checkIndex(int index, int size) {
    if (index < 0 || index >= size) {
      throw outOfRange(index, size);
    }
  }

  static IndexOutOfBoundsException outOfRange(int index, int size) {
    return new IndexOutOfBoundsException(
        size == 0
            ? "index=" + index + ", size=0; ask for the size first"
            : "index=" + index + " (expected: 0 to " + (size - 1) + ")");
  }

  static IllegalStateException full(String collection, int capacity) {
    return new IllegalStateException(
        ("%s is full: size=%s, capacity=%s; remove something first, ask isFull(), or give a larger "
                + "capacity at construction")
            .formatted(collection, capacity, capacity));
  }

  static NoSuchElementException noMore(int size) {
    return new NoSuchElementException("no element after the last of " + size);
  }

  static NoSuchElementException empty(String collection) {
    return new NoSuchElementException(collection + " is empty; ask isEmpty() first");
  }
}
