package dev.takt.persist.cycle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a graph in the order in which they were found, which is that of their numbers: the
 * queue of the breadth-first search, on the heap and not on a stack.
 *
 * <p>In segments, so that it grows without being copied.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> 4 bytes an object, with compressed references.
 */
final class ObjectQueue {
  private static final int SHIFT = 12;
  private static final int SEGMENT = 1 << SHIFT;

  private @Nullable Object[][] segments = new Object[16][];
  private int size;

  void add(Object object) {
    int segment = size >> SHIFT;
    if (segment == segments.length) {
      segments = Arrays.copyOf(segments, 2 * segment);
    }
    if ((size & SEGMENT - 1) == 0) {
      segments[segment] = new Object[SEGMENT];
    }
    segments[segment][size & SEGMENT - 1] = object;
    size++;
  }

  int size() {
    return size;
  }

  @SuppressWarnings("NullAway") // below the size all places are filled
  Object get(int number) {
    return segments[number >> SHIFT][number & SEGMENT - 1];
  }
}
