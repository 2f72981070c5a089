package dev.takt.rtsj.memory;

import org.jspecify.annotations.Nullable;

/**
 * The areas that a thread is in.
 *
 * <p>Frames are pushed and popped in strict order, but what lies below a frame for its code need
 * not be the frame that was pushed before: {@code executeInArea} goes back to an outer area, and
 * what was entered above that is hidden until it returns (the RTSJ's "cactus stack"). So each frame
 * has the number of the one below it.
 *
 * <pre>
 *   push heap, A, B; B.executeInArea(A), there push C:    frame  0     1   2   3   4
 *                                                         area   heap  A   B   A   C      seen from C: C, A, heap
 *                                                         below  -     0   1   0   3
 * </pre>
 *
 * <p><b>Thread rule.</b> The thread that it belongs to. <b>Memory:</b> about 1.5 KiB a thread, made
 * at its first use.
 */
final class AreaStack {
  /** The most areas that a thread can be in, with those that are hidden. */
  static final int MAX_DEPTH = 64;

  /** Below the outermost frame. */
  static final int NONE = -1;

  private static final ThreadLocal<AreaStack> STACKS = ThreadLocal.withInitial(AreaStack::new);

  private final MemoryArea[] areas = new MemoryArea[MAX_DEPTH];

  /** The innermost scope at the frame or below it, which is the parent of what is entered there. */
  private final @Nullable ScopedArea[] scopes = new ScopedArea[MAX_DEPTH];

  private final int[] belows = new int[MAX_DEPTH];
  private final int[] depths = new int[MAX_DEPTH];
  private int top = NONE;
  private boolean heapForbidden;

  private AreaStack() {
    push(HeapArea.instance(), NONE);
  }

  /** Returns that of the calling thread. */
  static AreaStack current() {
    return STACKS.get();
  }

  /** Puts an area on top. */
  void push(MemoryArea area, int below) {
    int frame = top + 1;
    if (frame == MAX_DEPTH) {
      throw new IllegalStateException(
          "areas entered=%s (limit: %s for one thread); leave areas before others are entered"
              .formatted(MAX_DEPTH + 1, MAX_DEPTH));
    }
    areas[frame] = area;
    belows[frame] = below;
    scopes[frame] = area instanceof ScopedArea scope ? scope : below == NONE ? null : scopes[below];
    depths[frame] = below == NONE ? 1 : depths[below] + 1;
    top = frame;
  }

  /** Takes the topmost area off. */
  void pop() {
    areas[top] = areas[0];
    scopes[top] = null;
    top--;
  }

  int top() {
    return top;
  }

  int below(int frame) {
    return belows[frame];
  }

  int depth() {
    return depths[top];
  }

  MemoryArea area() {
    return areas[top];
  }

  MemoryArea area(int frame) {
    return areas[frame];
  }

  /** Returns the innermost scope; null: the primordial one. */
  @Nullable ScopedArea scope() {
    return scopes[top];
  }

  /** Returns the uppermost frame of an area, at a frame or below it, or {@link #NONE}. */
  int find(MemoryArea area, int from) {
    int frame = from;
    while (frame != NONE && areas[frame] != area) {
      frame = belows[frame];
    }
    return frame;
  }

  boolean contains(MemoryArea area) {
    return find(area, top) != NONE;
  }

  boolean isHeapForbidden() {
    return heapForbidden;
  }

  void forbidHeap() {
    heapForbidden = true;
  }
}
