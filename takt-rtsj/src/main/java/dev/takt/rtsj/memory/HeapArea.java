package dev.takt.rtsj.memory;

import java.lang.foreign.MemorySegment;

/**
 * The Java heap as an area: where every thread begins, and what the garbage collector looks after.
 *
 * <p>Its figures are the JVM's: the largest heap, and what is in use of it, garbage included.
 *
 * <p><b>Thread rule.</b> Any thread, unless it has given up the heap by {@link #forbid}.
 */
public final class HeapArea extends MemoryArea {
  private static final HeapArea INSTANCE = new HeapArea();

  private HeapArea() {
    super("heap");
  }

  /** Returns the heap; there is one. */
  public static HeapArea instance() {
    return INSTANCE;
  }

  /**
   * Gives up the heap area for the calling thread, for good: what a thread without heap does first.
   *
   * <p>It may not enter this area or allocate in it any more. Its {@code new} cannot be stopped; it
   * can be measured.
   */
  public static void forbid() {
    AreaStack.current().forbidHeap();
  }

  @Override
  public long sizeBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  @Override
  public long consumedBytes() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * Allocates a segment of the heap.
   *
   * @param alignment a power of two, at most 8: objects of the heap have no better one
   */
  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    checkAccess();
    return newArray(bytes, alignment).asSlice(0, bytes);
  }

  /**
   * {@inheritDoc}
   *
   * @param alignment a power of two, at most 8: objects of the heap have no better one
   */
  @Override
  public boolean tryAllocate(MemoryView into, long bytes, long alignment) {
    checkAccess();
    into.show(this, state().epoch(), newArray(bytes, alignment), 0, bytes);
    return true;
  }

  private static MemorySegment newArray(long bytes, long alignment) {
    Region.checkRequest(bytes, alignment, Long.BYTES);
    if (bytes > Region.MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "bytes=" + bytes + " (limit: " + Region.MAX_SIZE_BYTES + " for one allocation)");
    }
    return MemorySegment.ofArray(new long[(int) Math.ceilDiv(bytes, Long.BYTES)]);
  }

  @Override
  void checkAllowed(AreaStack stack) {
    if (stack.isHeapForbidden()) {
      throw new InaccessibleAreaException(
          "area heap is forbidden to thread "
              + Thread.currentThread().getName()
              + ", which runs without heap; enter an immortal or scoped area");
    }
  }

  @Override
  void checkAccess() {
    checkAllowed(AreaStack.current());
  }

  @Override
  String exhaustionRemedy() {
    return "give the JVM a larger heap";
  }
}
