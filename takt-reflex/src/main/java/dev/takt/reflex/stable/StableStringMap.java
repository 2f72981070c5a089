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
 * <p><b>Memory:</b> up to 68 bytes for each of the capacity, with compressed references.
 *
 * @param <E> the values
 */
public final class StableStringMap<E extends Stable> implements Stable {
  private final StringKeys keys;
  private final StableArray<E> values;

  /**
   * Makes an empty map.
   *
   * @param capacity how many entries there can be, 1 to 8,388,608
   */
  public StableStringMap(int capacity) {
    keys = new StringKeys(capacity);
    values = new StableArray<>(capacity);
  }

  /** Returns the number of entries. */
  public int size() {
    return keys.size();
  }

  /** Returns how many entries there can be. */
  public int capacity() {
    return keys.capacity();
  }

  /** Returns whether there are no entries. */
  public boolean isEmpty() {
    return keys.size() == 0;
  }

  /** Returns whether there are as many entries as there can be. */
  public boolean isFull() {
    return keys.size() == keys.capacity();
  }

  /** Returns the value of a key, or null if there is none. */
  public @Nullable E get(String key) {
    int entry = keys.find(key);
    return entry < 0 ? null : values.get(entry);
  }

  /**
   * Sets the value of a key.
   *
   * @return the value it had, or null
   * @throws IllegalStateException if the key is new and the map is full; then it is as before
   */
  public @Nullable E put(String key, E value) {
    Objects.requireNonNull(value, "value");
    int entry = keys.findOrAdd(key, "StableStringMap");
    E before = values.get(entry);
    values.set(entry, value);
    return before;
  }

  /**
   * Removes a key; the last entry gets its index.
   *
   * @return the value it had, or null
   */
  public @Nullable E remove(String key) {
    int entry = keys.remove(key);
    if (entry < 0) {
      return null;
    }
    E before = values.get(entry);
    int last = keys.size();
    values.set(entry, values.get(last));
    values.set(last, null);
    return before;
  }

  /** Returns whether there is such a key. */
  public boolean containsKey(String key) {
    return keys.find(key) >= 0;
  }

  /**
   * Returns the key of an entry.
   *
   * @param index 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if there is no such entry
   */
  public String keyAt(int index) {
    return keys.keyAt(index);
  }

  /**
   * Returns the value of an entry.
   *
   * @param index 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if there is no such entry
   */
  public E valueAt(int index) {
    Limits.checkIndex(index, keys.size());
    return values.present(index);
  }

  /** Removes all entries: O(capacity). */
  public void clear() {
    for (int i = 0; i < keys.size(); i++) {
      values.set(i, null);
    }
    keys.clear();
  }
}
