package dev.takt.session.stage;

import org.jspecify.annotations.Nullable;

/**
 * The queue of a stage: items, and when each was accepted.
 *
 * <p><b>Thread rule.</b> One thread at a time. <b>Memory.</b> 12 to 16 bytes for each item of
 * capacity; nothing is allocated after it was made.
 */
final class ItemRing {
  private final @Nullable Object[] items;
  private final long[] acceptedNs;
  private int first;
  private int size;

  ItemRing(int capacity) {
    items = new @Nullable Object[capacity];
    acceptedNs = new long[capacity];
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size == items.length;
  }

  void add(Object item, long nowNs) {
    int at = first + size;
    at -= at >= items.length ? items.length : 0;
    items[at] = item;
    acceptedNs[at] = nowNs;
    size++;
  }

  /** Returns when the oldest item was accepted. */
  long firstAcceptedNs() {
    return acceptedNs[first];
  }

  /** Removes the oldest item. */
  Object remove() {
    Object item = items[first];
    if (item == null) {
      throw new IllegalStateException("remove from an empty queue");
    }
    items[first] = null;
    first = first + 1 == items.length ? 0 : first + 1;
    size--;
    return item;
  }
}
