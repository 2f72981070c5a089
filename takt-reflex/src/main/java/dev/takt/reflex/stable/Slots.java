package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/**
 * Finds entries by hash: the half of a map that does not know its keys.
 *
 * <p>Entries are numbered 0 to {@code size - 1} without gaps; keys and values lie in arrays by that
 * number. The table has at least twice as many slots as there can be entries, and a slot holds the
 * number of an entry or nothing. An entry lies in the slot its hash names, or in the next free one
 * after it, so a search ends at the first free slot. A removal closes the gap by moving later
 * entries back: no tombstones, so searches do not get longer as time goes by.
 *
 * <p>A search looks at 1.5 slots on average in a full map. All keys with one and the same hash lie
 * in a row, so the bound is the number of entries.
 */
final class Slots implements Stable {
  private final IntArray table;
  private final IntArray hashes;
  private final int capacity;
  private final int mask;
  private final int shift;
  private int size;

  Slots(int capacity) {
    this.capacity = Limits.checkCapacity("capacity", capacity, Limits.MAX_CAPACITY / 2);
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(2 * capacity - 1);
    mask = (1 << bits) - 1;
    shift = Integer.SIZE - bits;
    table = new IntArray(1 << bits);
    hashes = new IntArray(capacity);
  }

  int size() {
    return size;
  }

  int capacity() {
    return capacity;
  }

  /** Returns the slot where a search begins; the high bits of a hash count. */
  int home(int hash) {
    return hash >>> shift;
  }

  /** Returns the slot where a search goes on. */
  int next(int slot) {
    return (slot + 1) & mask;
  }

  /** Returns the entry in a slot, or -1. */
  int entry(int slot) {
    return table.get(slot) - 1;
  }

  /** Returns whether an entry has this hash; another one has another key for sure. */
  boolean hasHash(int entry, int hash) {
    return hashes.get(entry) == hash;
  }

  /**
   * Makes an entry in the free slot where a search for it has ended.
   *
   * @return its number; it is the last one
   */
  int add(int slot, int hash, String collection) {
    int entry = size;
    if (entry == capacity) {
      throw Limits.full(collection, capacity);
    }
    hashes.set(entry, hash);
    table.set(slot, entry + 1);
    size = entry + 1;
    return entry;
  }

  /**
   * Removes the entry in a slot; the last entry gets its number.
   *
   * @return the number of the removed entry; that of the last one was what {@link #size} is now
   */
  int remove(int slot) {
    int removed = entry(slot);
    int last = size - 1;
    closeGap(slot);
    if (removed != last) {
      int hash = hashes.get(last);
      table.set(slotOf(last, hash), removed + 1);
      hashes.set(removed, hash);
    }
    size = last;
    return removed;
  }

  void clear() {
    if (size > 0) {
      table.fill(0);
      size = 0;
    }
  }

  private int slotOf(int entry, int hash) {
    int slot = home(hash);
    while (entry(slot) != entry) {
      slot = next(slot);
    }
    return slot;
  }

  private void closeGap(int removed) {
    int gap = removed;
    int slot = next(gap);
    int entry = entry(slot);
    while (entry >= 0) {
      int home = home(hashes.get(entry));
      // It may move back to the gap unless that lies before its home, counted around the table.
      if (((slot - home) & mask) >= ((slot - gap) & mask)) {
        table.set(gap, entry + 1);
        gap = slot;
      }
      slot = next(slot);
      entry = entry(slot);
    }
    table.set(gap, 0);
  }
}
