package dev.takt.reflex.woven;

import java.util.ArrayList;
import java.util.List;

/**
 * What an area makes beforehand for the releases of one task: of each class and each kind of array
 * as many as the task's transient memory could hold if it were used for nothing else.
 *
 * <p>If that memory is larger than {@value #FULL_BYTES} bytes, the classes and kinds share it
 * evenly, but each has at least so many bytes. A release that needs more of one class makes more,
 * once, up to its limit; that is counted.
 *
 * <p><b>Thread rule:</b> immutable.
 */
public final class TransientPlan {
  /** Up to this size every class can have all of it. */
  static final int FULL_BYTES = 65_536;

  private record Objects(int slot, int count) {}

  private record Arrays(int slot, long bytes) {}

  /** Its place in areas. */
  final int number;

  private final List<Objects> objects = new ArrayList<>();
  private final List<Arrays> arrays = new ArrayList<>();

  /**
   * Plans for a task.
   *
   * @param number a number that no other plan of the runtime has: small, from 0
   * @param classes the classes of its transient objects, initialized; those that are not pooled do
   *     not count
   * @param arrays the slots of its transient arrays
   * @param limitBytes the task's transient memory
   */
  public TransientPlan(int number, List<Class<?>> classes, List<Integer> arrays, long limitBytes) {
    this.number = number;
    int kinds = Math.max(1, classes.size() + arrays.size());
    long shareBytes = Math.min(limitBytes, Math.max(limitBytes / kinds, FULL_BYTES));
    for (Class<?> type : classes) {
      Integer slot = Pools.slotOf(type);
      if (slot != null) {
        this.objects.add(new Objects(slot, (int) (shareBytes / Pools.entry(slot).sizeBytes())));
      }
    }
    for (int slot : arrays) {
      this.arrays.add(new Arrays(slot, shareBytes));
    }
  }

  void fill(TransientArea area) {
    for (Objects wanted : objects) {
      area.pool(wanted.slot).fill(wanted.count);
    }
    for (Arrays wanted : arrays) {
      fill(area.arrayPool(wanted.slot), wanted.bytes);
    }
  }

  /** Of one length all; of several, two of each, the short ones first, as far as it goes. */
  private static void fill(ArrayPool pool, long bytes) {
    int maxLength = pool.entry.maxLength();
    if (pool.entry.exact()) {
      pool.pool(maxLength).fill((int) (bytes / pool.entry.sizeBytes(maxLength)));
      return;
    }
    long left = bytes;
    for (int length = 0; length <= maxLength && left > 0; length++) {
      left -= 2L * pool.entry.sizeBytes(length);
      if (left >= 0) {
        pool.pool(length).fill(2);
      }
    }
  }
}
