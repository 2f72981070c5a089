package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Collections that plain threads change: each thread has bins of its own, and all of them change
 * one map under a lock, each its own entry and some that come and go.
 */
@Persistent
public final class SharedBins implements SharedState {
  private static final int BINS = 8;

  private final long seed;
  private final Bin[] bins = new Bin[THREADS * BINS];
  private final HashMap<Integer, Long> steps = new HashMap<>();
  private ArrayList<Bin> made = new ArrayList<>();

  /** Makes one; equal seeds make equal ones. */
  public SharedBins(long seed) {
    this.seed = seed;
    for (int i = 0; i < bins.length; i++) {
      bins[i] = new Bin(i);
    }
    for (int i = 0; i < THREADS; i++) {
      made.add(new Bin(-i));
      steps.put(i, 0L);
    }
  }

  @Override
  public synchronized long step(int thread) {
    return steps.get(thread);
  }

  @Override
  @PersistentUpdate
  public long change(int thread, AtomicLong clock) {
    long step = step(thread);
    long order = SharedState.mixed(seed + thread + THREADS * step);
    final long time = clock.getAndIncrement();
    Bin bin = bins[THREADS * (int) (order >>> 8 & BINS - 1) + thread];
    Bin other = bins[THREADS * (int) (order >>> 16 & BINS - 1) + thread];
    bin.change(order, other);
    if ((order >>> 60 & 3) == 0) {
      other.change(~order, bin);
    }
    synchronized (this) {
      if ((order & 1 << 30) == 0) {
        Bin next = new Bin((int) step);
        next.change(order, bin);
        made.set(thread, next);
      }
      steps.merge(thread, 1L, Long::sum);
    }
    return time;
  }
}
