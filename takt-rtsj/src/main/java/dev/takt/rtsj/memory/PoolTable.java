package dev.takt.rtsj.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pools of an area, and those of all areas by class, so that an object's area can be found.
 *
 * <p><b>Thread rule.</b> Any thread; registering takes a lock, asking does not.
 */
final class PoolTable {
  private static final AreaPool<?>[] NONE = {};

  private static final ClassValue<PoolsOfClass> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected PoolsOfClass computeValue(Class<?> type) {
          return new PoolsOfClass();
        }
      };

  private volatile AreaPool<?>[] pools = NONE;

  /** Guarded by this table's monitor. */
  private boolean closed;

  /** Returns the area that has an object in a pool; otherwise the heap. */
  static MemoryArea areaOf(Object object) {
    for (AreaPool<?> pool : BY_CLASS.get(object.getClass()).pools) {
      if (pool.contains(object)) {
        return pool.area();
      }
    }
    return HeapArea.instance();
  }

  synchronized <T> AreaPool<T> add(AreaPool<T> pool) {
    if (closed) { // it would never be removed from the pools of its class
      throw new IllegalStateException(pool.area() + " is closed; make another one");
    }
    if (find(pool.type()) != null) {
      throw new IllegalArgumentException(
          pool.type().getName() + " is registered in " + pool.area() + " already");
    }
    BY_CLASS.get(pool.type()).add(pool);
    pools = with(pools, pool);
    return pool;
  }

  <T> AreaPool<T> get(MemoryArea area, Class<T> type) {
    AreaPool<T> pool = find(type);
    if (pool == null) {
      throw new IllegalArgumentException(
          type.getName() + " is not registered in " + area + "; call register first");
    }
    return pool;
  }

  /** Returns whether an object is an instance that is lent in an epoch. */
  boolean lends(Object object, int epoch) {
    AreaPool<?> pool = find(object.getClass());
    return pool != null && pool.lends(object, epoch);
  }

  /** Forgets the pools, so that their instances are collected, and takes no more. */
  synchronized void close() {
    closed = true;
    for (AreaPool<?> closed : pools) {
      BY_CLASS.get(closed.type()).remove(closed);
    }
    pools = NONE;
  }

  @SuppressWarnings("unchecked") // a pool of the class T is an AreaPool<T>
  private <T> @Nullable AreaPool<T> find(Class<T> type) {
    for (AreaPool<?> pool : pools) {
      if (pool.type() == type) {
        return (AreaPool<T>) pool;
      }
    }
    return null;
  }

  private static AreaPool<?>[] with(AreaPool<?>[] pools, AreaPool<?> pool) {
    AreaPool<?>[] more = Arrays.copyOf(pools, pools.length + 1);
    more[pools.length] = pool;
    return more;
  }

  /** The pools of one class, in all areas. */
  private static final class PoolsOfClass {
    private volatile AreaPool<?>[] pools = NONE;

    synchronized void add(AreaPool<?> pool) {
      pools = with(pools, pool);
    }

    synchronized void remove(AreaPool<?> pool) {
      pools = Arrays.stream(pools).filter(each -> each != pool).toArray(AreaPool<?>[]::new);
    }
  }
}
