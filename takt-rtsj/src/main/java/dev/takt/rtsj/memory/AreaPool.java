package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Ranges;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The instances of one type in one area: made when it is registered, lent one after the other, all
 * back when the epoch of the scope ends.
 *
 * <p><b>Purpose.</b> A stock JVM cannot place an object; it can lend one that is there. An instance
 * that is used after its epoch has ended belongs to another user: nothing can check that on a plain
 * reference. A <em>handle</em> can: it is a number that knows its epoch, and {@link #get} refuses
 * one of an ended epoch.
 *
 * <p><b>Guarantees.</b> (1) An instance is lent once in an epoch; one whose reset throws is not
 * lent, but if another one was asked for meanwhile, it stays out until the next epoch. (2)
 * Lock-free; nothing is allocated (in the heap area: the instance).
 *
 * <p><b>Thread rule.</b> Any thread that is in the area.
 *
 * <p><b>Memory.</b> The instances, on the heap, and 12 to 20 bytes for each.
 *
 * @param <T> the type
 */
public final class AreaPool<T> {
  /** The most instances of one type. */
  public static final int MAX_COUNT = 1 << 24;

  private final MemoryArea area;
  private final Class<T> type;
  private final Supplier<? extends T> factory;
  private final Consumer<? super T> reset;
  private final int maxCount;
  private final IdentityIndex<T> instances;
  private final ScopeEpochCounter lent = new ScopeEpochCounter();

  AreaPool(
      MemoryArea area,
      Class<T> type,
      Supplier<? extends T> factory,
      Consumer<? super T> reset,
      int maxCount) {
    Ranges.check("maxCount", maxCount, 1, MAX_COUNT);
    this.area = area;
    this.type = Objects.requireNonNull(type, "type");
    this.factory = Objects.requireNonNull(factory, "factory");
    this.reset = Objects.requireNonNull(reset, "reset");
    this.maxCount = maxCount;
    this.instances = new IdentityIndex<>(area instanceof HeapArea ? 0 : maxCount);
    for (int i = 0; i < instances.capacity(); i++) {
      instances.add(make());
    }
  }

  private T make() {
    T instance = Objects.requireNonNull(factory.get(), "an instance made by the factory");
    if (instance.getClass() != type) {
      throw new IllegalArgumentException(
          "the factory made a %s (expected: %s); register that class"
              .formatted(instance.getClass().getName(), type.getName()));
    }
    return instance;
  }

  /** Returns the type. */
  public Class<T> type() {
    return type;
  }

  /** Returns where the instances are. */
  public MemoryArea area() {
    return area;
  }

  /** Returns how many can be lent at once. */
  public int maxCount() {
    return maxCount;
  }

  /** Returns how many are lent in this epoch; 0 in the heap area, which does not count. */
  public int lentCount() {
    return lent.count(area.state().epoch());
  }

  /**
   * Lends an instance; see {@link MemoryArea#newInstance}.
   *
   * @throws AreaExhaustedException if all are lent
   * @throws InaccessibleAreaException if the calling thread may not allocate in the area
   */
  public T newInstance() {
    area.checkAccess();
    return area instanceof HeapArea ? make() : lend(claim());
  }

  /**
   * Lends an instance.
   *
   * @return its handle, for {@link #get}
   * @throws AreaExhaustedException if all are lent
   * @throws InaccessibleAreaException if the calling thread may not allocate in the area
   * @throws UnsupportedOperationException in the heap area, whose instances do not end
   */
  public long newHandle() {
    area.checkAccess();
    if (area instanceof HeapArea) {
      throw new UnsupportedOperationException(
          "instances of the heap area do not end and have no handles; use newInstance()");
    }
    int index = claim();
    lend(index);
    return (long) area.state().epoch() << Integer.SIZE | index;
  }

  /**
   * Returns the instance with a handle.
   *
   * @throws IllegalReferenceException if its epoch has ended
   */
  public T get(long handle) {
    int epoch = area.state().epoch();
    int index = (int) handle;
    if ((int) (handle >>> Integer.SIZE) != epoch || index < 0 || index >= lent.count(epoch)) {
      throw new IllegalReferenceException(
          ("handle of a %s of %s is from its epoch %s, which has ended (now: %s); make "
                  + "another instance after entering")
              .formatted(
                  type.getName(), area, handle >>> Integer.SIZE, Integer.toUnsignedLong(epoch)));
    }
    return instances.get(index);
  }

  /** Returns whether an object is an instance of this pool. */
  boolean contains(Object object) {
    return instances.indexOf(object) >= 0;
  }

  /** Returns whether an object is lent in an epoch. */
  boolean lends(Object object, int epoch) {
    int index = instances.indexOf(object);
    return index >= 0 && index < lent.count(epoch);
  }

  private int claim() {
    int index = lent.next(area.state().epoch(), maxCount);
    if (index == maxCount) {
      throw new AreaExhaustedException(
          "pool of " + type.getName() + " in " + area,
          "instances",
          1,
          maxCount,
          maxCount,
          "register more of them, or let its threads leave the area more often");
    }
    return index;
  }

  private T lend(int index) {
    T instance = instances.get(index);
    try {
      reset.accept(instance);
    } catch (Throwable e) {
      lent.giveBack(area.state().epoch(), index);
      throw e;
    }
    return instance;
  }
}
