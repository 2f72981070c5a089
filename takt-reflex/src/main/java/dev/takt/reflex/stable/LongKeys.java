package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** The keys of a map from {@code long}: which entry belongs to which key. */
final class LongKeys implements Stable {
  private final Slots slots;
  private final StableLongArray keys;

  LongKeys(int capacity) {
    slots = new Slots(capacity);
    keys = new StableLongArray(capacity);
  }

  int size() {
    return slots.size();
  }

  int capacity() {
    return slots.capacity();
  }

  long keyAt(int entry) {
    Limits.checkIndex(entry, slots.size());
    return keys.get(entry);
  }

  /** Returns the entry of a key, or -1. */
  int find(long key) {
    return slots.entry(slotOf(key, hash(key)));
  }

  /** Returns the entry of a key, which is a new one, the last, if there was none. */
  int findOrAdd(long key, String collection) {
    int hash = hash(key);
    int slot = slotOf(key, hash);
    int entry = slots.entry(slot);
    if (entry < 0) {
      entry = slots.add(slot, hash, collection);
      keys.set(entry, key);
    }
    return entry;
  }

  /**
   * Removes a key; the last entry, whose number {@link #size} is afterwards, takes the number of
   * the removed one.
   *
   * @return the number of the removed entry, or -1 if there was none
   */
  int remove(long key) {
    int slot = slotOf(key, hash(key));
    if (slots.entry(slot) < 0) {
      return -1;
    }
    int removed = slots.remove(slot);
    keys.set(removed, keys.get(slots.size()));
    return removed;
  }

  void clear() {
    slots.clear();
  }

  /** Returns the slot of a key, or the free one where it would be. */
  private int slotOf(long key, int hash) {
    int slot = slots.home(hash);
    int entry = slots.entry(slot);
    while (entry >= 0 && !(slots.hasHash(entry, hash) && keys.get(entry) == key)) {
      slot = slots.next(slot);
      entry = slots.entry(slot);
    }
    return slot;
  }

  private static int hash(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (((mixed ^ (mixed >>> 32)) * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
