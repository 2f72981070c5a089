package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import org.jspecify.annotations.Nullable;

/**
 * A map without its keys, which subclasses keep: entries found by hash, and their values.
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
abstract sealed class HashedEntries<E extends Stable> implements Stable
    permits StableMap, StableStringMap {
  private final IntChunk[] table;
  private final StableArray<E> values;
  private final int mask;
  private final int shift;
  private int size;

  HashedEntries(int capacity) {
    Limits.checkCapacity("capacity", capacity, Limits.MAX_CAPACITY / 2);
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(2 * capacity - 1);
    mask = (1 << bits) - 1;
    shift = Integer.SIZE - bits;
    table = new IntChunk[Chunks.count(1 << bits)];
    for (int i = 0; i < table.length; i++) {
      table[i] = new IntChunk(Chunks.lengthOf(i, 1 << bits));
    }
    values = new StableArray<>(capacity);
  }

  /** Returns the number of entries. */
  public int size() {
    return size;
  }

  /** Returns how many entries there can be. */
  public int capacity() {
    return values.length();
  }

  /** Returns whether there are no entries. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns whether there are as many entries as there can be. */
  public boolean isFull() {
    return size == values.length();
  }

  /**
   * Returns the value of an entry.
   *
   * @param index 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if there is no such entry
   */
  public E valueAt(int index) {
    Limits.checkIndex(index, size);
    return values.present(index);
  }

  /** Removes all entries: O(capacity). */
  public void clear() {
    if (size > 0) {
      for (int i = 0; i < size; i++) {
        values.set(i, null);
      }
      for (int i = 0; i < table.length; i++) {
        table[i].fill(0);
      }
      size = 0;
    }
  }

  /** Returns the hash of the key of an entry; its high bits count. */
  abstract int hashAt(int entry);

  /** Returns the slot where the search for a hash begins. */
  final int home(int hash) {
    return hash >>> shift;
  }

  /** Returns the slot where a search goes on. */
  final int next(int slot) {
    return (slot + 1) & mask;
  }

  /** Returns the entry in a slot, or -1. */
  final int entry(int slot) {
    return table[slot >> Chunks.SHIFT].get(slot & Chunks.MASK) - 1;
  }

  private void set(int slot, int entry) {
    table[slot >> Chunks.SHIFT].set(slot & Chunks.MASK, entry + 1);
  }

  /** Returns the value of the entry in a slot, or null if there is none. */
  final @Nullable E value(int slot) {
    int entry = entry(slot);
    return entry < 0 ? null : values.get(entry);
  }

  /** Sets the value of an entry; returns the one it had. */
  final @Nullable E exchange(int entry, E value) {
    E before = values.get(entry);
    values.set(entry, value);
    return before;
  }

  /** Makes an entry, the last one, in the free slot where a search for it has ended. */
  final int add(int slot, String collection) {
    int entry = size;
    if (isFull()) {
      throw Limits.full(collection, capacity());
    }
    set(slot, entry);
    size = entry + 1;
    return entry;
  }

  /**
   * Removes the entry in a slot; the last entry, whose number {@link #size} is afterwards, gets its
   * number, and the caller moves its key.
   */
  final void removeAt(int slot) {
    int removed = entry(slot);
    int last = size - 1;
    closeGap(slot);
    if (removed != last) {
      int slotOfLast = home(hashAt(last));
      while (entry(slotOfLast) != last) {
        slotOfLast = next(slotOfLast);
      }
      set(slotOfLast, removed);
    }
    values.set(removed, values.get(last));
    values.set(last, null);
    size = last;
  }

  private void closeGap(int removed) {
    int gap = removed;
    int slot = next(gap);
    int entry = entry(slot);
    while (entry >= 0) {
      int home = home(hashAt(entry));
      // It may move back to the gap unless that lies before its home, counted around the table.
      if (((slot - home) & mask) >= ((slot - gap) & mask)) {
        set(gap, entry);
        gap = slot;
      }
      slot = next(slot);
      entry = entry(slot);
    }
    set(gap, -1);
  }
}
