package dev.takt.rtsj.memory;

import java.util.Arrays;

/**
 * A fixed number of objects, found by number and by identity. Unlike an {@code IdentityHashMap} it
 * allocates nothing when it is asked.
 *
 * <p><b>Thread rule.</b> Filled by one thread, then read by any.
 */
final class IdentityIndex<T> {
  private final Object[] objects;

  /** Numbers of objects by hash, linear probing, at most half full; -1: free. */
  private final int[] table;

  private int count;

  IdentityIndex(int capacity) {
    objects = new Object[capacity];
    table = new int[2 << Integer.SIZE - Integer.numberOfLeadingZeros(capacity)];
    Arrays.fill(table, -1);
  }

  int capacity() {
    return objects.length;
  }

  void add(T object) {
    int place = place(object);
    if (table[place] >= 0) {
      throw new IllegalArgumentException(
          ("the factory made %s number %s as number %s again (expected: a new object each "
                  + "time)")
              .formatted(object.getClass().getName(), count, table[place]));
    }
    objects[count] = object;
    table[place] = count++;
  }

  @SuppressWarnings("unchecked") // only T's are added
  T get(int index) {
    return (T) objects[index];
  }

  /** Returns the number of an object; -1 if it is not here. */
  int indexOf(Object object) {
    return table[place(object)];
  }

  private int place(Object object) {
    int mask = table.length - 1;
    int place = System.identityHashCode(object) & mask;
    while (table[place] >= 0 && objects[table[place]] != object) {
      place = place + 1 & mask;
    }
    return place;
  }
}
