package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * The events that a transaction object has taken from one list, one after another, and that are
 * still linked: they leave their lists together, and then their slots are freed.
 *
 * <p>To take an event out of a list writes to its neighbour, which is the last thing that a writer
 * behind it should have to fetch from another processor again. Events that follow one another leave
 * by one compare-and-set, some thirty takes later. Until then they are gone for everybody: a walk
 * passes over them, and remembers where they end.
 *
 * <p>Only a taker that goes on taking from one list what others write puts events off; else each is
 * freed at once, so that a slot is used again while it is at hand.
 *
 * <p><b>Errors:</b> {@link #flush} may be done again if it was cut off.
 *
 * <p><b>Thread rule:</b> as the transaction's. No other transaction needs these slots: a space has
 * so many slots more.
 */
final class DeferredRemovals {
  private final EventSlots slots;
  private final IndexTable table;
  private final EventSlots.LocalFreeList freeList;
  private final int[] group;

  /** Those that are not freed yet: from here on, before there. */
  private int first;

  private int count;

  /** The list that was taken from last. */
  private @Nullable Index index;

  private int bucket;

  DeferredRemovals(EventSlots slots, IndexTable table, EventSlots.LocalFreeList freeList) {
    this.slots = slots;
    this.table = table;
    this.freeList = freeList;
    group = new int[freeList.isCaching ? slots.batch : 0];
  }

  /**
   * Puts off a slot whose state is FREE; false: it must be unlinked and freed now.
   *
   * @param by the index by which it was found, if any
   * @param from its list there
   */
  boolean defer(int slot, @Nullable Index by, int from) {
    if (by != index || from != bucket) {
      if (count > 0) {
        flush();
      }
      index = by;
      bucket = from;
      return false;
    }
    if (by == null || group.length < 2 || (slots.linkedAcquire(slot) >>> by.id & 1) == 0) {
      return false;
    }
    if (count == group.length) {
      flush();
    }
    // nothing is called from here on: an error would have the slot put off twice
    group[count] = slot;
    count++;
    return true;
  }

  /** Takes all out of their lists and frees them. */
  void flush() {
    long linked = 0;
    for (int i = first; i < count; i++) {
      linked |= slots.linkedAcquire(group[i]);
    }
    Index[] indexes = table.indexes;
    while (linked != 0) {
      indexes[Long.numberOfTrailingZeros(linked)].removeAll(group, first, count);
      linked &= linked - 1;
    }
    while (first < count) {
      slots.free(group[first], freeList);
      first++;
    }
    count = 0;
    first = 0;
  }
}
