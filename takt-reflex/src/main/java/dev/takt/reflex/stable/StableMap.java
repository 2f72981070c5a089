package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A map from {@code long} to stable objects that lives as long as its task.
 *
 * <p>All is O(1) expected, except {@link #clear}: open addressing at half load at most, and a
 * removal leaves no trace. At worst, when all keys hash alike, an operation is O(size).
 *
 * <p>Entries have the indices 0 to {@code size() - 1}, for iteration. A removal gives the index of
 * the removed entry to the last one, so remove from the end while iterating.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> up to 64 bytes for each of the capacity, with compressed references.
 *
 * @param <E> the values
 */
public final class StableMap<E extends Stable> extends HashedEntries<E> {
  private final StableLongArray keys;

  /**
   * Makes an empty map.
   *
   * @param capacity how many entries there can be, 1 to 8,388,608
   */
  public StableMap(int capacity) {
    super(capacity);
    keys = new StableLongArray(capacity);
  }

  /** Returns the value of a key, or null if there is none. */
  public @Nullable E get(long key) {
    return value(slotOf(key));
  }

  /**
   * Sets the value of a key.
   *
   * @return the value it had, or null
   * @throws IllegalStateException if the key is new and the map is full; then it is as before
   */
  public @Nullable E put(long key, E value) {
    Objects.requireNonNull(value, "value");
    int slot = slotOf(key);
    int entry = entry(slot);
    if (entry < 0) {
      entry = add(slot, "StableMap");
      keys.set(entry, key);
    }
    return exchange(entry, value);
  }

  /**
   * Removes a key; the last entry gets its index.
   *
   * @return the value it had, or null
   */
  public @Nullable E remove(long key) {
    int slot = slotOf(key);
    int entry = entry(slot);
    if (entry < 0) {
      return null;
    }
    E before = value(slot);
    removeAt(slot);
    keys.set(entry, keys.get(size()));
    return before;
  }

  /** Returns whether there is such a key. */
  public boolean containsKey(long key) {
    return entry(slotOf(key)) >= 0;
  }

  /**
   * Returns the key of an entry.
   *
   * @param index 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if there is no such entry
   */
  public long keyAt(int index) {
    Limits.checkIndex(index, size());
    return keys.get(index);
  }

  /** Returns the slot of a key, or the free one where it would be. */
  private int slotOf(long key) {
    int slot = home(hash(key));
    int entry = entry(slot);
    while (entry >= 0 && keys.get(entry) != key) {
      slot = next(slot);
      entry = entry(slot);
    }
    return slot;
  }

  @Override
  int hashAt(int entry) {
    return hash(keys.get(entry));
  }

  private static int hash(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (((mixed ^ (mixed >>> 32)) * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
