package dev.takt.rtsj.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where memory comes from, and how long it lives: the heap, an immortal area, or a scope.
 *
 * <p><b>Purpose.</b> A time-critical thread enters an area, allocates there, and leaves; a scope's
 * memory is back when its last thread has left. See the package's description for the rules, and
 * for what a stock JVM cannot do.
 *
 * <p><b>Thread rule.</b> Any thread, virtual ones too; each has its own stack of entered areas. A
 * new thread is in the heap, whatever area its starter was in.
 *
 * <p><b>Memory.</b> Entering, allocating into a {@link MemoryView}, making an instance of a
 * registered type, and leaving allocate nothing on the heap, after the thread's first use of an
 * area; not so in the heap area, of course.
 */
public abstract sealed class MemoryArea implements SegmentAllocator
    permits HeapArea, ImmortalArea, ScopedArea {
  /** The most areas that one thread can be in. */
  public static final int MAX_DEPTH = AreaStack.MAX_DEPTH;

  private final String name;
  private final ScopeState state = new ScopeState();
  private final PoolTable pools = new PoolTable();

  MemoryArea(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /** Returns the area in which the calling thread allocates: the one that it has entered last. */
  public static MemoryArea current() {
    return AreaStack.current().area();
  }

  /** Returns how many areas the calling thread is in, at least 1. */
  public static int depth() {
    return AreaStack.current().depth();
  }

  /**
   * Returns one of the areas that the calling thread is in.
   *
   * @param index 0 for the outermost, {@link #depth} - 1 for the current one
   */
  public static MemoryArea outer(int index) {
    AreaStack stack = AreaStack.current();
    Objects.checkIndex(index, stack.depth());
    int frame = stack.top();
    for (int depth = stack.depth() - 1; depth > index; depth--) {
      frame = stack.below(frame);
    }
    return stack.area(frame);
  }

  /**
   * Returns the area that an object lives in: for a pooled instance and a {@link MemoryView} that
   * of their memory, for anything else the heap.
   *
   * <p>A memory segment is looked for in the scopes that the calling thread is in; the segment's
   * own {@link MemorySegment#scope} says more.
   */
  public static MemoryArea of(Object object) {
    return switch (object) {
      case MemoryView view -> Objects.requireNonNullElse(view.area(), HeapArea.instance());
      case MemorySegment segment -> ScopedArea.of(segment);
      default -> PoolTable.areaOf(object);
    };
  }

  /** Returns the name, for messages. */
  public final String name() {
    return name;
  }

  /** Returns how many bytes it can hold. */
  public abstract long sizeBytes();

  /** Returns how many bytes are in use, with what alignment has cost. Pooled instances are not. */
  public abstract long consumedBytes();

  /** Returns how many bytes are left: {@link #sizeBytes} - {@link #consumedBytes}. */
  public final long remainingBytes() {
    return Math.max(0, sizeBytes() - consumedBytes());
  }

  /**
   * Runs logic with this as the current area.
   *
   * @throws ScopedCycleException if this scope has another parent now, see the single-parent rule
   * @throws InaccessibleAreaException if this is the heap and is forbidden to the thread
   * @throws IllegalStateException if the area is closed, or too many are entered
   */
  public final void enter(Runnable logic) {
    Objects.requireNonNull(logic, "logic");
    AreaStack stack = AreaStack.current();
    checkAllowed(stack);
    int parent = ScopedArea.number(stack.scope());
    stack.push(this, stack.top());
    boolean isInside = false;
    try {
      join(parent);
      isInside = true;
      logic.run();
    } finally {
      stack.pop();
      if (isInside) {
        leave();
      }
    }
  }

  /**
   * Runs logic with this as the current area, which the calling thread is in already, or which is
   * the heap or immortal. What was entered after it is hidden meanwhile.
   *
   * @throws InaccessibleAreaException if this is a scope that the calling thread is not in, or the
   *     heap and forbidden to it
   */
  public final void executeInArea(Runnable logic) {
    Objects.requireNonNull(logic, "logic");
    AreaStack stack = AreaStack.current();
    checkAllowed(stack);
    stack.push(this, belowFor(stack));
    try {
      logic.run();
    } finally {
      stack.pop();
    }
  }

  /**
   * Allocates memory, which is zero, as a segment.
   *
   * <p>That makes a view object on the heap, which escape analysis often removes; {@link
   * #allocate(MemoryView, long, long)} makes none.
   *
   * @param bytes how much
   * @param alignment of its address, a power of two
   * @throws AreaExhaustedException if there is not enough left
   * @throws InaccessibleAreaException if the calling thread may not allocate here
   */
  @Override
  public abstract MemorySegment allocate(long bytes, long alignment);

  /**
   * Allocates memory, which is zero, and makes a view show it.
   *
   * @param into shows it afterwards; unchanged if this fails
   * @param bytes how much
   * @param alignment of its address, a power of two
   * @throws AreaExhaustedException if there is not enough left
   * @throws InaccessibleAreaException if the calling thread may not allocate here
   */
  public final void allocate(MemoryView into, long bytes, long alignment) {
    if (!tryAllocate(into, bytes, alignment)) {
      throw exhausted(bytes, alignment);
    }
  }

  /**
   * Allocates as {@link #allocate(MemoryView, long, long)} does, where exhaustion is expected.
   *
   * @return false if there is not enough left; the view is unchanged then
   */
  public abstract boolean tryAllocate(MemoryView into, long bytes, long alignment);

  /**
   * Makes instances of a type beforehand, for {@link #newInstance} to lend.
   *
   * @param type the class of the instances
   * @param factory makes one; called {@code maxCount} times now (in the heap area: at each {@code
   *     newInstance}), for a new object each time
   * @param maxCount how many can be in use at once, 1 to {@value AreaPool#MAX_COUNT}
   * @throws IllegalArgumentException if the type is registered already
   * @throws IllegalStateException if the area is closed
   */
  public final <T> AreaPool<T> register(
      Class<T> type, Supplier<? extends T> factory, int maxCount) {
    return register(type, factory, instance -> {}, maxCount);
  }

  /**
   * Makes instances of a type beforehand, for {@link #newInstance} to lend.
   *
   * @param type the class of the instances
   * @param factory makes one; see {@link #register(Class, Supplier, int)}
   * @param reset brings one back to its first state; called each time one is lent. If it throws, so
   *     does {@link #newInstance}, and the next call takes the same instance; but if one was asked
   *     for meanwhile, by another thread or by the reset itself, it counts as lent until the epoch
   *     ends
   * @param maxCount how many can be in use at once, 1 to {@value AreaPool#MAX_COUNT}
   * @throws IllegalArgumentException if the type is registered already
   * @throws IllegalStateException if the area is closed
   */
  public final <T> AreaPool<T> register(
      Class<T> type, Supplier<? extends T> factory, Consumer<? super T> reset, int maxCount) {
    return pools.add(new AreaPool<>(this, type, factory, reset, maxCount));
  }

  /**
   * Lends an instance of a registered type, until the epoch of this scope ends.
   *
   * <p>It is as the factory made it or, when it was lent in an earlier epoch, as its last user left
   * it and the type's reset then made it.
   *
   * @throws IllegalArgumentException if the type is not registered here
   * @throws AreaExhaustedException if all instances are lent
   * @throws InaccessibleAreaException if the calling thread may not allocate here
   */
  public final <T> T newInstance(Class<T> type) {
    return pools.get(this, type).newInstance();
  }

  /**
   * Makes a place for a reference in this area, which checks what is stored in it. It is an object
   * on the heap itself, so make it beforehand; its content ends with the epoch of this scope.
   */
  public final <T> AreaReference<T> newReference() {
    return new AreaReference<>(this);
  }

  final ScopeState state() {
    return state;
  }

  final PoolTable pools() {
    return pools;
  }

  /** Does what entering means to the area itself, below the scope with a number. */
  void join(int parent) {}

  /** Does what leaving means to the area itself. */
  void leave() {}

  /** Returns what lies below this area when logic is executed in it. */
  int belowFor(AreaStack stack) {
    return AreaStack.NONE;
  }

  /** Throws if the calling thread may not enter the area. */
  void checkAllowed(AreaStack stack) {}

  /** Throws if the calling thread may not allocate in the area. */
  void checkAccess() {}

  final AreaExhaustedException exhausted(long bytes, long alignment) {
    return new AreaExhaustedException(
        "area " + name,
        "bytes (with alignment " + alignment + ")",
        bytes,
        consumedBytes(),
        sizeBytes(),
        exhaustionRemedy());
  }

  abstract String exhaustionRemedy();

  @Override
  public String toString() {
    return "area " + name;
  }
}
