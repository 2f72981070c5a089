package dev.takt.reflex.woven;

import dev.takt.space.BoxCache;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The transient objects that a thread gives to the releases it runs: a pool for each class and each
 * kind of array, by slot.
 *
 * <p>An area serves one release at a time. Nothing is done when the release ends: the next one has
 * another epoch, and each pool rewinds when it sees that.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> what the tasks ask for that were {@linkplain #prepare prepared}: of each class,
 * the most that any of them may use at once; 8 bytes for each pooled class in the JVM; and a cache
 * of boxes of 40 KiB, from the first box on.
 */
public final class TransientArea {
  @Nullable Pool[] pools = {};
  @Nullable ArrayPool[] arrays = {};
  private @Nullable BoxCache boxes;

  /** By the numbers of plans. */
  private boolean[] prepared = {};

  /** Makes an area without objects. */
  public TransientArea() {}

  /** Returns whether the objects of a plan are there. */
  public boolean isPrepared(TransientPlan plan) {
    return plan.number < prepared.length && prepared[plan.number];
  }

  /** Makes the objects of a plan, unless they are there. */
  public void prepare(TransientPlan plan) {
    if (!isPrepared(plan)) {
      plan.fill(this);
      prepared = Arrays.copyOf(prepared, Math.max(prepared.length, plan.number + 1));
      prepared[plan.number] = true;
    }
  }

  /** Returns the pool of a class, made at its first use. */
  Pool pool(int slot) {
    if (slot >= pools.length) {
      pools = Arrays.copyOf(pools, Pools.count());
    }
    Pool pool = pools[slot];
    if (pool == null) {
      Pools.Entry entry = Pools.entry(slot);
      pool = new Pool(entry.prototype()::$takt$fresh, entry::name, entry.sizeBytes());
      pools[slot] = pool;
    }
    return pool;
  }

  /** Returns the pools of a kind of arrays, made at their first use. */
  ArrayPool arrayPool(int slot) {
    if (slot >= arrays.length) {
      arrays = Arrays.copyOf(arrays, slot + 1);
    }
    ArrayPool pool = arrays[slot];
    if (pool == null) {
      pool = new ArrayPool(ArrayPools.entry(slot));
      arrays[slot] = pool;
    }
    return pool;
  }

  /** Abandons what was given in an epoch: it is never given again. */
  void giveAway(long epoch) {
    for (Pool pool : pools) {
      if (pool != null) {
        pool.giveAway(epoch);
      }
    }
    for (ArrayPool kind : arrays) {
      if (kind != null) {
        kind.giveAway(epoch);
      }
    }
  }

  BoxCache boxes() {
    BoxCache boxes = this.boxes;
    if (boxes == null) {
      boxes = new BoxCache();
      this.boxes = boxes;
    }
    return boxes;
  }
}
