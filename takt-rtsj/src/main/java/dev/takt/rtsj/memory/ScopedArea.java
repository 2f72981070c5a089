package dev.takt.rtsj.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An area whose content lives as long as threads are in it.
 *
 * <p><b>Purpose.</b> Memory for the duration of a release, a phase or a request: the first thread
 * that enters begins an epoch, the last one that leaves ends it, and the next epoch begins with an
 * empty area. In a <em>linear-time</em> area (RTSJ: LTMemory) all memory is committed beforehand,
 * and an allocation takes time linear in its size, for zeroing. A <em>variable-time</em> area
 * (VTMemory) begins smaller and grows by blocks up to its limit, which it keeps; an allocation that
 * needs a new block takes as long as the system needs, under a lock.
 *
 * <p><b>Guarantees.</b> (1) Single parent: see the package's description. (2) Ending an epoch is
 * one compare-and-set with the last exit, whatever was allocated: no thread ever waits for a reset.
 * (3) What was allocated is zero. (4) A view, a handle or, with {@link ScopeSettings#endsSegments},
 * a segment of an ended epoch is refused, with two exceptions for segments. They end just after the
 * epoch, not with it: until the thread that left last has closed what they belong to, or another
 * one has allocated the next epoch's first segment, they still reach memory of this area, which may
 * be in use by the next epoch. And those of an epoch that ended while a native call was using one
 * of them end with the first epoch that ends after the call.
 *
 * <p><b>Thread rule.</b> Any thread that has entered allocates and uses; any thread closes.
 *
 * <p><b>Memory.</b> The committed blocks, native; at most {@value ScopeState#MAX_COUNT} threads at
 * once, and a million areas that are not closed.
 *
 * {@snippet :
 * try (ScopedArea scratch = ScopedArea.linearTime("scratch", 64 << 10)) {
 *   scratch.register(Order.class, Order::new, 100);
 *   Runnable release = () -> fill(scratch.newInstance(Order.class));
 *   while (thread.waitForNextPeriod()) {
 *     scratch.enter(release); // no garbage
 *   }
 * }
 * }
 */
public final class ScopedArea extends MemoryArea implements AutoCloseable {
  /** Whether restricted methods may be called without a warning. */
  private static final boolean IS_NATIVE = ScopedArea.class.getModule().isNativeAccessEnabled();

  private final ScopeSettings settings;
  private final Arena arena = Arena.ofShared();
  private final Region region;
  private final AreaReference<Object> portal = newReference();

  /** The number by which scopes that are entered in this one know their parent. */
  private final int number;

  /** Of the present epoch, or of one that is just being ended. */
  private final AtomicReference<@Nullable EpochArena> epochArena = new AtomicReference<>();

  /** Of epochs that ended while a native call used their segments: to be closed when it is over. */
  private final Queue<Arena> unclosed = new ConcurrentLinkedQueue<>();

  private ScopedArea(ScopeSettings settings) {
    super(settings.name());
    this.settings = settings;
    this.number = ScopeIds.add(this);
    try {
      this.region =
          new Region(
              arena, settings.initialBytes(), settings.growthBytes(), settings.maxBytes(), true);
    } catch (OutOfMemoryError e) {
      ScopeIds.remove(number);
      throw e;
    }
  }

  /** Makes an area. */
  public static ScopedArea create(ScopeSettings settings) {
    return new ScopedArea(settings);
  }

  /** Makes an area with {@link ScopeSettings#linearTime}. */
  public static ScopedArea linearTime(String name, long sizeBytes) {
    return new ScopedArea(ScopeSettings.linearTime(name, sizeBytes));
  }

  /** Makes an area with {@link ScopeSettings#variableTime}. */
  public static ScopedArea variableTime(String name, long initialBytes, long maxBytes) {
    return new ScopedArea(ScopeSettings.variableTime(name, initialBytes, maxBytes));
  }

  /** Returns what it was made with. */
  public ScopeSettings settings() {
    return settings;
  }

  /** Returns the most bytes that it can hold. */
  @Override
  public long sizeBytes() {
    return region.maxBytes();
  }

  @Override
  public long consumedBytes() {
    return region.usedBytes(state().epoch());
  }

  /** Returns how many bytes are there without asking the system for more. */
  public long committedBytes() {
    return region.committedBytes();
  }

  /** Returns how many threads are in it; one that has entered several times counts as often. */
  public int referenceCount() {
    return state().count();
  }

  /** Returns the parent: null if it is the primordial scope, or no thread is in this one. */
  public @Nullable ScopedArea parent() {
    return ScopeIds.get(state().parent());
  }

  /**
   * Returns the object that threads find here.
   *
   * @return null if none was set in this epoch
   * @throws InaccessibleAreaException if the calling thread is not in this area
   * @throws IllegalReferenceException if the current area lives longer than this one, so that the
   *     object could not be kept there
   */
  public @Nullable Object getPortal() {
    checkAccess();
    MemoryArea current = current();
    if (!(current instanceof ScopedArea)) {
      throw new IllegalReferenceException(
          "portal of area %s asked for in area %s, which lives longer; ask in a scope"
              .formatted(name(), current.name()));
    }
    return portal.get();
  }

  /**
   * Sets the object that threads find here, for this epoch.
   *
   * @param object a pooled instance, a {@link MemoryView} or a segment of this area, of this epoch;
   *     or null
   * @throws InaccessibleAreaException if the calling thread is not in this area
   * @throws IllegalReferenceException if it is something else
   */
  public void setPortal(@Nullable Object object) {
    checkAccess();
    if (object != null && !owns(object)) {
      throw new IllegalReferenceException(
          ("portal of area %s set to an object of %s (expected: one that was allocated in "
                  + "this area since it was entered); allocate it here")
              .formatted(name(), of(object)));
    }
    portal.put(object);
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    MemoryView view = new MemoryView();
    allocate(view, bytes, alignment);
    return settings.endsSegments() ? endingSegment(view, alignment) : view.segment();
  }

  @Override
  public boolean tryAllocate(MemoryView into, long bytes, long alignment) {
    checkAccess();
    return region.tryAllocate(this, state().epoch(), bytes, alignment, into);
  }

  /**
   * Gives the memory back to the system. Does nothing if it is closed already.
   *
   * @throws IllegalStateException if threads are in it; or if a native call still uses a segment:
   *     then no thread can enter it, and closing again gives the memory back
   */
  @Override
  public void close() {
    if (state().close()) {
      pools().close();
      ScopeIds.remove(number);
    } else if (!state().isClosed()) {
      throw new IllegalStateException(
          "area %s is closed with %s threads in it (expected: 0); let them leave first"
              .formatted(name(), referenceCount()));
    }
    EpochArena ending = epochArena.get();
    if (ending != null) {
      replaceEpochArena(ending, null);
    }
    unclosed.removeIf(ScopedArea::hasClosed);
    // Segments that end share the memory without holding it: a call that uses one comes first.
    if (!unclosed.isEmpty() || !hasClosed(arena)) {
      throw new IllegalStateException(
          "memory of area "
              + name()
              + " is not given back: a native call uses a segment; close it again after the call");
    }
  }

  /** Returns the number that stands for a scope as a parent; 0: the primordial one. */
  static int number(@Nullable ScopedArea scope) {
    return scope == null ? 0 : scope.number;
  }

  /** Returns the scope of a segment among those that the calling thread is in, or the heap. */
  static MemoryArea of(MemorySegment segment) {
    AreaStack stack = AreaStack.current();
    for (int frame = stack.top(); frame != AreaStack.NONE; frame = stack.below(frame)) {
      if (stack.area(frame) instanceof ScopedArea scope && scope.owns(segment)) {
        return scope;
      }
    }
    return HeapArea.instance();
  }

  /** Returns whether an object was allocated here in the present epoch. */
  boolean owns(Object object) {
    int epoch = state().epoch();
    return switch (object) {
      case MemoryView view -> view.area() == this && view.epoch() == epoch;
      case MemorySegment segment ->
          segment.isNative() && segment.scope().isAlive() && holds(segment, epoch);
      default -> pools().lends(object, epoch);
    };
  }

  private boolean holds(MemorySegment segment, int epoch) {
    EpochArena ending = epochArena.get();
    return ending != null && ending.epoch == epoch && ending.arena.scope().equals(segment.scope())
        || !settings.endsSegments() && region.contains(segment.address());
  }

  @Override
  void join(int parent) {
    switch (state().enter(parent)) {
      case ENTERED -> {}
      case OTHER_PARENT -> throw cycle(parent);
      case FULL ->
          throw new IllegalStateException(
              "threads in area %s=%s (limit: %s); let some leave first"
                  .formatted(name(), ScopeState.MAX_COUNT + 1, ScopeState.MAX_COUNT));
      case CLOSED ->
          throw new IllegalStateException("area " + name() + " is closed; make another one");
    }
  }

  @Override
  void leave() {
    int epoch = state().epoch();
    if (state().exit()) {
      unclosed.removeIf(ScopedArea::hasClosed);
      EpochArena ending = epochArena.get();
      if (ending != null && ending.epoch == epoch) {
        replaceEpochArena(ending, null);
      }
    }
  }

  @Override
  int belowFor(AreaStack stack) {
    int frame = stack.find(this, stack.top());
    if (frame == AreaStack.NONE) {
      throw inaccessible();
    }
    return stack.below(frame);
  }

  @Override
  void checkAccess() {
    if (!AreaStack.current().contains(this)) {
      throw inaccessible();
    }
  }

  @Override
  String exhaustionRemedy() {
    return "make it larger, or let its threads leave it more often"
        + (settings.isLinearTime()
            ? ""
            : (" (one allocation must fit in a block of %s bytes, or in the first one of %s; %s "
                    + "bytes are committed, and more only if the system has memory: "
                    + "-XX:MaxDirectMemorySize)")
                .formatted(settings.growthBytes(), settings.initialBytes(), committedBytes()));
  }

  private InaccessibleAreaException inaccessible() {
    return new InaccessibleAreaException(
        "area %s is used by thread %s, which is not in it (current: %s); enter it first"
            .formatted(name(), Thread.currentThread().getName(), current()));
  }

  private ScopedCycleException cycle(int parent) {
    return new ScopedCycleException(
        ("area %s has %s as its parent and was entered below %s (expected: the same parent "
                + "while threads are in it); enter it below that one, or make one area for "
                + "each parent")
            .formatted(name(), parentName(state().parent()), parentName(parent)));
  }

  private static String parentName(int number) {
    ScopedArea parent = ScopeIds.get(number);
    return parent == null ? "the primordial scope" : "area " + parent.name();
  }

  @SuppressWarnings("restricted") // asked for first
  private MemorySegment endingSegment(MemoryView view, long alignment) {
    Arena ending = epochArena(view.epoch());
    return IS_NATIVE
        ? view.segment().reinterpret(ending, null)
        : ending.allocate(view.sizeBytes(), alignment);
  }

  private Arena epochArena(int epoch) {
    while (true) {
      EpochArena seen = epochArena.get();
      if (seen != null && seen.epoch == epoch) {
        return seen.arena;
      }
      EpochArena fresh = new EpochArena(epoch, Arena.ofShared());
      if (replaceEpochArena(seen, fresh)) {
        return fresh.arena;
      }
      fresh.arena.close();
    }
  }

  /**
   * Ends the segments of an epoch that is over, and takes its arena out: the last thread of that
   * epoch, the first of the next, or both. At each moment an arena that is open can be found.
   */
  private boolean replaceEpochArena(@Nullable EpochArena seen, @Nullable EpochArena next) {
    if (seen != null && !hasClosed(seen.arena)) {
      unclosed.add(seen.arena);
    }
    return epochArena.compareAndSet(seen, next);
  }

  /**
   * Closes an arena, if it is open; false if a native call uses a segment of it. Several may come
   * at once: when this returns true the arena's end is complete, not just begun by another thread.
   */
  private static boolean hasClosed(Arena arena) {
    synchronized (arena) {
      if (arena.scope().isAlive()) {
        try {
          arena.close();
        } catch (IllegalStateException e) {
          return false;
        }
      }
      return true;
    }
  }

  /** What the segments of one epoch belong to. */
  private record EpochArena(int epoch, Arena arena) {}
}
