package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/** Called by classes that were woven for debugging about their transient objects. */
public final class Debug {
  private Debug() {}

  /**
   * A transient object was made.
   *
   * @param object the object
   * @param place where, for messages
   */
  public static void made(Object object, String place) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null) {
      AllocationSites.record(object, memory.epoch, place);
    }
  }

  /**
   * An object is about to be used.
   *
   * @throws dev.takt.reflex.limit.StaleTransientUse if it was made in an earlier attempt, and the
   *     calling thread runs a release
   */
  public static void used(@Nullable Object object) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && object != null) {
      AllocationSites.check(object, memory);
    }
  }
}
