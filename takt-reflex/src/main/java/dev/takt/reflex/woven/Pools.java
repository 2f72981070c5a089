package dev.takt.reflex.woven;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes whose instances come from pools, each with its number, the <em>slot</em>: the place
 * of its pool in every {@link TransientArea} and {@link TaskMemory}.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> some hundred bytes a class, for ever: a class that was registered is not
 * unloaded.
 */
public final class Pools {
  /** How many classes there can be. */
  static final int MAX_SLOTS = 1 << 20;

  record Entry(Pooled prototype, int sizeBytes) {
    String name() {
      return prototype.getClass().getTypeName();
    }
  }

  private static final Map<Class<?>, Integer> SLOTS = new HashMap<>();

  /** Replaced, never changed. */
  private static volatile Entry[] entries = {};

  private Pools() {}

  /**
   * Registers a class; called by its initializer.
   *
   * @param prototype an instance, from which others are made
   * @return the slot
   * @throws IllegalStateException if there are too many classes
   */
  public static int register(Pooled prototype) {
    synchronized (SLOTS) {
      Integer known = SLOTS.get(prototype.getClass());
      if (known != null) {
        return known;
      }
      int slot = entries.length;
      if (slot == MAX_SLOTS) {
        throw new IllegalStateException(
            "too many pooled classes: limit=%s, refused=%s"
                .formatted(MAX_SLOTS, prototype.getClass().getName()));
      }
      Entry[] more = Arrays.copyOf(entries, slot + 1);
      more[slot] = new Entry(prototype, Layout.sizeOf(prototype.getClass()));
      SLOTS.put(prototype.getClass(), slot);
      entries = more;
      return slot;
    }
  }

  static Entry entry(int slot) {
    return entries[slot];
  }

  static int count() {
    return entries.length;
  }

  /** Returns the slot of an initialized class, or null if it has none. */
  static @Nullable Integer slotOf(Class<?> type) {
    synchronized (SLOTS) {
      return SLOTS.get(type);
    }
  }
}
