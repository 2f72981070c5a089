package dev.takt.reflex.woven;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The stable objects that a task makes in its releases, and what all its stable objects count.
 *
 * <p><b>Thread rule:</b> for the thread that runs the task.
 */
final class StableMemory {
  private @Nullable StablePool[] objects = {};
  private @Nullable StablePool[][] arrays = {};

  /** The pools that gave something to the running attempt. */
  private StablePool[] touched = new StablePool[8];

  private int touchedCount;

  /** What all stable objects count. */
  private long usedBytes;

  private long usedAtBegin;
  private final MemoryFigures figures;

  StableMemory(MemoryFigures figures) {
    this.figures = figures;
  }

  /** Sets what all stable objects count, between releases. */
  void occupy(long bytes) {
    usedBytes = bytes;
    publish();
  }

  private void publish() {
    usedAtBegin = usedBytes;
    figures.set(MemoryFigures.STABLE_USED, usedBytes);
    figures.raise(MemoryFigures.STABLE_PEAK, usedBytes);
  }

  /** Counts what atomic calls have made, for good; between attempts. */
  void charge(long bytes) {
    usedBytes += bytes;
    publish();
  }

  long usedBytes() {
    return usedBytes;
  }

  /** Returns the pool of a class, made at its first use. */
  StablePool pool(int slot) {
    if (slot >= objects.length) {
      objects = Arrays.copyOf(objects, Pools.count());
    }
    StablePool pool = objects[slot];
    if (pool == null) {
      Pools.Entry entry = Pools.entry(slot);
      pool = new StablePool(entry.prototype()::$takt$fresh, entry::name, entry.sizeBytes());
      objects[slot] = pool;
    }
    return pool;
  }

  /** Returns the pool of arrays of one length, made at its first use. */
  StablePool arrayPool(int slot, int length) {
    if (slot >= arrays.length) {
      int from = arrays.length;
      arrays = Arrays.copyOf(arrays, slot + 1);
      Arrays.fill(arrays, from, slot + 1, new StablePool[0]);
    }
    if (length >= arrays[slot].length) {
      arrays[slot] = Arrays.copyOf(arrays[slot], length + 1);
    }
    StablePool pool = arrays[slot][length];
    if (pool == null) {
      ArrayPools.Entry entry = ArrayPools.entry(slot);
      pool =
          new StablePool(
              () -> entry.make(length), () -> entry.name(length), entry.sizeBytes(length));
      arrays[slot][length] = pool;
    }
    return pool;
  }

  /** Gives the running attempt an object. */
  Object next(StablePool pool) {
    if (pool.isEmpty()) {
      figures.add(MemoryFigures.POOL_GROWTHS, 1);
    }
    if (pool.isUntouched()) {
      if (touchedCount == touched.length) {
        touched = Arrays.copyOf(touched, 2 * touchedCount);
      }
      touched[touchedCount++] = pool;
    }
    Object object = pool.next();
    usedBytes += pool.sizeBytes;
    return object;
  }

  /** The attempt has committed. */
  void commit() {
    if (touchedCount != 0) {
      for (int i = 0; i < touchedCount; i++) {
        touched[i].keep();
      }
      touchedCount = 0;
      publish();
    }
  }

  /** The attempt is undone. */
  void undo() {
    if (touchedCount != 0) {
      for (int i = 0; i < touchedCount; i++) {
        touched[i].giveBack();
      }
      touchedCount = 0;
      figures.raise(MemoryFigures.STABLE_PEAK, usedBytes);
      usedBytes = usedAtBegin;
    }
  }
}
