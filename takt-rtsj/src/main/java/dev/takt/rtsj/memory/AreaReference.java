package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place for a reference in an area, which refuses what lives shorter than the area does (the
 * RTSJ's assignment rule, for the places where one asks for it: a stock JVM checks no fields).
 *
 * <pre>
 *                         refers to: heap   immortal   scope
 *   in heap or immortal              yes      yes       no
 *   in a scope                       yes      yes       the same or an outer one
 * </pre>
 *
 * <p><b>Guarantee.</b> It is empty when an epoch of its scope begins, so it never shows an object
 * of an ended scope.
 *
 * <p><b>Thread rule.</b> Any thread that is in the area; what is set is seen with what was written
 * before.
 *
 * <p><b>Memory.</b> 32 bytes, once.
 *
 * @param <T> of what it refers to
 */
public final class AreaReference<T> {
  private static final VarHandle EPOCH =
      Fields.handle(MethodHandles.lookup(), AreaReference.class, "epoch", long.class);

  /** Of a reference that was never set; no epoch has it. */
  private static final long NEVER = -1;

  private final MemoryArea area;
  private volatile @Nullable T value;

  /** In which epoch it was set, as an unsigned number; accessed through {@link #EPOCH}. */
  private long epoch = NEVER;

  AreaReference(MemoryArea area) {
    this.area = area;
  }

  /** Returns where it is. */
  public MemoryArea area() {
    return area;
  }

  /**
   * Returns what was set in this epoch of the area; null if nothing.
   *
   * @throws InaccessibleAreaException if the calling thread is not in the area
   */
  public @Nullable T get() {
    area.checkAccess();
    return (long) EPOCH.getAcquire(this) == presentEpoch() ? value : null;
  }

  /**
   * Sets what is referred to.
   *
   * @throws IllegalReferenceException if it lives shorter than this reference's area
   * @throws InaccessibleAreaException if the calling thread is not in the area
   */
  public void set(@Nullable T value) {
    area.checkAccess();
    if (value != null) {
      checkAssignment(value);
    }
    put(value);
  }

  /** Sets it unchecked. */
  void put(@Nullable T value) {
    this.value = value;
    EPOCH.setRelease(this, presentEpoch());
  }

  private void checkAssignment(T value) {
    MemoryArea target = MemoryArea.of(value);
    if (value instanceof MemoryView view && view.area() != null && !view.isLive()
        || target instanceof ScopedArea scope
            && !(value instanceof MemoryView)
            && !scope.owns(value)) {
      throw new IllegalReferenceException(
          "reference in %s set to what is left of an ended epoch of %s; allocate it again"
              .formatted(area, target));
    }
    if (target instanceof ScopedArea && !isOuter(target)) {
      throw new IllegalReferenceException(
          ("reference in %s set to an object of %s, which does not live as long (expected: "
                  + "the same area, an outer one, heap or immortal); copy it, or allocate it "
                  + "further out")
              .formatted(area, target));
    }
  }

  private boolean isOuter(MemoryArea target) {
    AreaStack stack = AreaStack.current();
    int own = stack.find(area, stack.top());
    return area instanceof ScopedArea && stack.find(target, own) != AreaStack.NONE;
  }

  private long presentEpoch() {
    return Integer.toUnsignedLong(area.state().epoch());
  }
}
