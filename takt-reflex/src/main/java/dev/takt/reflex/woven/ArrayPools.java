package dev.takt.reflex.woven;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * The kinds of arrays that come from pools, each with its number, the <em>slot</em>: element type,
 * largest length, and whether there are others.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> about a hundred bytes a kind, for ever.
 */
public final class ArrayPools {
  /** How many kinds there can be. */
  static final int MAX_SLOTS = 1 << 20;

  record Entry(Class<?> component, int maxLength, boolean exact) {
    int sizeBytes(int length) {
      return Layout.arraySize(component, length);
    }

    String name(int length) {
      return component.getTypeName() + "[" + length + "]";
    }

    Object make(int length) {
      return Array.newInstance(component, length);
    }
  }

  private static final Object LOCK = new Object();

  /** Replaced, never changed. */
  private static volatile Entry[] entries = {};

  private ArrayPools() {}

  /**
   * Returns the slot of a kind of arrays; called by initializers of woven classes.
   *
   * @param component the type of the elements
   * @param maxLength the largest number of elements, at least 0
   * @param exact whether all have exactly so many
   * @return the slot, the same for the same arguments
   * @throws IllegalStateException if there are too many kinds
   */
  public static int slot(Class<?> component, int maxLength, boolean exact) {
    if (component == void.class || maxLength < 0) {
      throw new IllegalArgumentException(
          "component=" + component + ", maxLength=" + maxLength + " (expected: at least 0)");
    }
    Entry wanted = new Entry(component, maxLength, exact);
    synchronized (LOCK) {
      Entry[] known = entries;
      for (int i = 0; i < known.length; i++) {
        if (known[i].equals(wanted)) {
          return i;
        }
      }
      if (known.length == MAX_SLOTS) {
        throw new IllegalStateException("too many kinds of pooled arrays: limit=" + MAX_SLOTS);
      }
      Entry[] more = Arrays.copyOf(known, known.length + 1);
      more[known.length] = wanted;
      entries = more;
      return known.length;
    }
  }

  static Entry entry(int slot) {
    return entries[slot];
  }
}
