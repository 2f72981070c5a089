package dev.takt.reflex.woven;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How many bytes an object counts: the layout model of this project.
 *
 * <p>It is that of HotSpot on 64 bits with compressed references and class pointers, as is the
 * default for heaps below 32 GiB, whatever JVM runs: so that a task that fits on one machine fits
 * on all.
 *
 * <ul>
 *   <li>An object has a header of {@value #HEADER} bytes; references take 4; sizes are multiples of
 *       8.
 *   <li>The fields of a superclass keep their places. Those of the class itself follow, each
 *       aligned to its size: primitives by size, largest first, then references; each goes into the
 *       smallest gap that fits, the last one of several, or else to the end.
 *   <li>An array has a header of {@value #ARRAY_HEADER} bytes.
 * </ul>
 *
 * <p><b>Thread rule:</b> any thread. Computed anew at each call.
 */
final class Layout {
  static final int HEADER = 12;
  static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 4;
  private static final int ALIGNMENT = 8;

  /** A free place between fields. */
  private record Gap(int offset, int size) {
    /** How many bytes a field leaves free before itself. */
    int padding(int fieldSize) {
      return -offset & fieldSize - 1;
    }

    boolean fits(int fieldSize) {
      return size >= fieldSize + padding(fieldSize);
    }
  }

  /** In the order of their offsets. */
  private final List<Gap> gaps = new ArrayList<>();

  private int end = HEADER;

  private Layout() {}

  /** Returns the size of an instance of a class that is not an array. */
  static int sizeOf(Class<?> type) {
    ArrayDeque<Class<?>> hierarchy = new ArrayDeque<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      hierarchy.push(c);
    }
    Layout layout = new Layout();
    for (Class<?> c : hierarchy) {
      layout.add(c);
    }
    return align(layout.end);
  }

  /** Returns the size of an array. */
  static int arraySize(Class<?> component, int length) {
    return (int) Math.min(Integer.MAX_VALUE & -ALIGNMENT, arrayBytes(component, length));
  }

  private static long arrayBytes(Class<?> component, int length) {
    return ARRAY_HEADER + (long) length * sizeOfField(component) + ALIGNMENT - 1 & -ALIGNMENT;
  }

  private void add(Class<?> declaring) {
    List<Class<?>> types = new ArrayList<>();
    for (Field field : declaring.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        types.add(field.getType());
      }
    }
    types.sort(
        Comparator.<Class<?>, Boolean>comparing(type -> !type.isPrimitive())
            .thenComparing(type -> -sizeOfField(type)));
    for (Class<?> type : types) {
      add(sizeOfField(type));
    }
  }

  private void add(int size) {
    int best = -1;
    for (int i = gaps.size() - 1; i >= 0; i--) {
      if (gaps.get(i).fits(size) && (best < 0 || gaps.get(i).size() < gaps.get(best).size())) {
        best = i;
      }
    }
    Gap place = best < 0 ? new Gap(end, Integer.MAX_VALUE / 2) : gaps.remove(best);
    int at = best < 0 ? gaps.size() : best;
    int padding = place.padding(size);
    int rest = place.size() - padding - size;
    if (best < 0) {
      end = place.offset() + padding + size;
    } else if (rest > 0) {
      gaps.add(at, new Gap(place.offset() + padding + size, rest));
    }
    if (padding > 0) {
      gaps.add(at, new Gap(place.offset(), padding));
    }
  }

  private static int sizeOfField(Class<?> type) {
    if (!type.isPrimitive()) {
      return REFERENCE;
    }
    if (type == long.class || type == double.class) {
      return 8;
    }
    if (type == int.class || type == float.class) {
      return 4;
    }
    return type == short.class || type == char.class ? 2 : 1;
  }

  private static int align(int size) {
    return size + ALIGNMENT - 1 & -ALIGNMENT;
  }
}
