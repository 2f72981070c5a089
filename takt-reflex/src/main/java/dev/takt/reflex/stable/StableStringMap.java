package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A map from string to stable objects that lives as long as its task.
 *
 * <p>Keys are kept as references and compared as {@link String#equals} does; a string that is the
 * same object is found fastest.
 *
 * <p>All is O(1) expected, except {@link #clear}: open addressing at half load at most, and a
 * removal leaves no trace. At worst, when all keys hash alike, an operation is O(size).
 *
 * <p>Entries have the indices 0 to {@code size() - 1}, for iteration. A removal gives the index of
 * the removed entry to the last one, so remove from the end while iterating.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> up to 56 bytes for each of the capacity, with compressed references.
 *
 * @param <E> the values
 */
public final class StableStringMap<E extends Stable> extends HashedEntries<E> {
  private final StringArray keys;

  /**
   * Makes an empty map.
   *
   * @param capacity how many entries there can be, 1 to 8,388,608
   */
  public StableStringMap(int capacity) {
    super(capacity);
    keys = new StringArray(capacity);
  }

  /** Returns the value of a key, or null if there is none. */
  public @Nullable E get(String key) {
    return value(slotOf(key));
  }

  /**
   * Sets the value of a key.
   *
   * @return the value it had, or null
   * @throws IllegalStateException if the key is new and the map is full; then it is as before
   */
  public @Nullable E put(String key, E value) {
    Objects.requireNonNull(value, "value");
    int slot = slotOf(key);
    int entry = entry(slot);
    if (entry < 0) {
      entry = add(slot, "StableStringMap");
      keys.set(entry, key);
    }
    return exchange(entry, value);
  }

  /**
   * Removes a key; the last entry gets its index.
   *
   * @return the value it had, or null
   */
  public @Nullable E remove(String key) {
    int slot = slotOf(key);
    int entry = entry(slot);
    if (entry < 0) {
      return null;
    }
    E before = value(slot);
    removeAt(slot);
    keys.set(entry, keys.get(size()));
    keys.set(size(), null);
    return before;
  }

  /** Returns whether there is such a key. */
  public boolean containsKey(String key) {
    return entry(slotOf(key)) >= 0;
  }

  /**
   * Returns the key of an entry.
   *
   * @param index 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if there is no such entry
   */
  public String keyAt(int index) {
    Limits.checkIndex(index, size());
    return keys.present(index);
  }

  @Override
  public void clear() {
    for (int i = 0; i < size(); i++) {
      keys.set(i, null);
    }
    super.clear();
  }

  /** Returns the slot of a key, or the free one where it would be. */
  private int slotOf(String key) {
    int slot = home(hash(key));
    int entry = entry(slot);
    while (entry >= 0 && !key.equals(keys.get(entry))) {
      slot = next(slot);
      entry = entry(slot);
    }
    return slot;
  }

  @Override
  int hashAt(int entry) {
    return hash(keys.present(entry));
  }

  private static int hash(String key) {
    return key.hashCode() * 0x9E3779B9;
  }
}
