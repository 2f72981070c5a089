package dev.takt.reflex.woven;

import dev.takt.reflex.limit.StaleTransientUse;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When and where transient objects were made; for debugging only.
 *
 * <p><b>Thread rule:</b> any thread, one at a time by a lock: nothing for time-critical use.
 *
 * <p><b>Memory:</b> about 100 bytes for each object that has not been collected.
 */
final class AllocationSites {
  private record Birth(long epoch, String place) {}

  /** Equal to another key of the same object. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, @Nullable ReferenceQueue<Object> queue) {
      super(object, queue);
      hash = System.identityHashCode(object);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      return other instanceof Key key && get() != null && key.refersTo(get());
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private static final Map<Key, Birth> BIRTHS = new HashMap<>();
  private static final ReferenceQueue<Object> DEAD = new ReferenceQueue<>();

  private AllocationSites() {}

  static void record(Object object, long epoch, String place) {
    synchronized (BIRTHS) {
      for (Object dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
        BIRTHS.remove(dead);
      }
      BIRTHS.put(new Key(object, DEAD), new Birth(epoch, place));
    }
  }

  /** Forgets what was made in an epoch, because it may be kept. */
  static void giveAway(long epoch) {
    synchronized (BIRTHS) {
      BIRTHS.values().removeIf(birth -> birth.epoch == epoch);
    }
  }

  static void check(Object object, TaskMemory memory) {
    Birth birth;
    synchronized (BIRTHS) {
      birth = BIRTHS.get(new Key(object, null));
    }
    if (birth != null && birth.epoch != memory.epoch) {
      throw memory.rollbackOnly(
          new StaleTransientUse(
              ("task %s: a %s made at %s by an earlier release (%s) is used by this one "
                      + "(%s%s); a transient object dies with its release: keep what must stay "
                      + "in stable objects")
                  .formatted(
                      memory.task,
                      object.getClass().getTypeName(),
                      birth.place,
                      birth.epoch,
                      memory.epoch,
                      CallerLocation.allocation())));
    }
  }
}
