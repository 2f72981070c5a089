package dev.takt.persist.graph;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The collections of the JDK that never change, and so need no barrier: what {@code List.of},
 * {@code Set.of}, {@code Map.of}, their {@code copyOf}, {@code Stream.toList} and {@code Optional}
 * give. They are stored by their interface and elements, a map as keys and values in turn, and need
 * no declaration; their elements do.
 *
 * <p><b>Keys.</b> A collection that hashes is made before the fields of stable objects are set. So
 * what is in a set, or a key of a map, must have a hash that does not depend on them: a string,
 * box, value, constant, a record of these that does not lead to its own class, or a stable object
 * or array that is compared by identity.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class Immutables {
  private static final Map<Class<?>, Class<?>> TYPES = new HashMap<>();

  static {
    add(List.class, List.of(), List.of(1), List.of(1, 2, 3), List.of(1, 2, 3).subList(0, 2));
    add(List.class, Stream.of(1).toList());
    add(Set.class, Set.of(), Set.of(1), Set.of(1, 2, 3));
    add(Map.class, Map.of(), Map.of(1, 1), Map.of(1, 1, 2, 2, 3, 3));
    add(Optional.class, Optional.empty());
  }

  private static final ClassValue<Boolean> KEYS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isKey(type, false, new HashSet<>());
        }
      };

  private static final ClassValue<Boolean> SORTABLE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Comparable.class.isAssignableFrom(type) && isKey(type, true, new HashSet<>());
        }
      };

  private Immutables() {}

  private static void add(Class<?> type, Object... samples) {
    TYPES.put(type, type);
    for (Object sample : samples) {
      TYPES.put(sample.getClass(), type);
    }
  }

  /** Returns the interface of a class, or null if its instances are others. */
  static @Nullable Class<?> typeOf(Class<?> type) {
    return TYPES.get(type);
  }

  /** Returns the interface of a name, or null. */
  public static @Nullable Class<?> find(String name) {
    for (Class<?> type : TYPES.values()) {
      if (type.getName().equals(name)) {
        return type;
      }
    }
    return null;
  }

  /** Returns how many elements one has; of a map, keys and values. */
  public static int size(Object immutable) {
    return switch (immutable) {
      case List<?> list -> list.size();
      case Set<?> set -> set.size();
      case Map<?, ?> map -> (int) Math.min(Integer.MAX_VALUE - 16, 2L * map.size());
      default -> ((Optional<?>) immutable).isPresent() ? 1 : 0;
    };
  }

  /** Begins to read the elements. */
  public static Iterator<?> iterator(Object immutable) {
    return switch (immutable) {
      case List<?> list -> list.iterator();
      case Set<?> set -> set.iterator();
      case Map<?, ?> map -> map.entrySet().iterator();
      default -> ((Optional<?>) immutable).stream().iterator();
    };
  }

  /**
   * Reads the next elements.
   *
   * @param count how many; of a map, an even number
   * @throws IllegalArgumentException if one cannot be a key
   */
  public static void read(Object immutable, Iterator<?> from, @Nullable Object[] into, int count) {
    boolean isMap = immutable instanceof Map;
    for (int i = 0; i < count; i++) {
      Object next = from.next();
      if (isMap && next instanceof Map.Entry<?, ?> entry) {
        into[i++] = requireKey(entry.getKey());
        into[i] = entry.getValue();
      } else {
        into[i] = immutable instanceof Set ? requireKey(next) : next;
      }
    }
  }

  /**
   * Makes one.
   *
   * @param type its interface
   * @throws IllegalArgumentException if it cannot have these elements
   */
  public static Object make(Class<?> type, @Nullable Object[] elements) {
    try {
      if (type == Map.class) {
        return map(elements);
      } else if (type == Set.class) {
        for (Object each : elements) {
          requireKey(each);
        }
        return Set.of(elements);
      } else if (type == List.class) {
        return Stream.of(elements).toList();
      } else if (elements.length > 1) {
        throw new IllegalArgumentException("elements of an Optional: " + elements.length);
      }
      return elements.length == 0 ? Optional.empty() : Optional.of(elements[0]);
    } catch (NullPointerException e) {
      throw new IllegalArgumentException("a %s with null".formatted(type.getName()), e);
    }
  }

  private static Map<?, ?> map(@Nullable Object[] elements) {
    if (elements.length % 2 != 0) {
      throw new IllegalArgumentException("a map with a key without a value");
    }
    Map.Entry<?, ?>[] entries = new Map.Entry<?, ?>[elements.length / 2];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = Map.entry(requireKey(elements[2 * i]), elements[2 * i + 1]);
    }
    return Map.ofEntries(entries);
  }

  /** Refuses what can be in nothing sorted: its order depends on objects that come later. */
  static void requireSortable(@Nullable Object key) {
    if (key == null || !SORTABLE.get(key.getClass())) {
      throw new IllegalArgumentException(
          "an object of class %s cannot be in a sorted set or a key of a sorted map that is stored: it has no order, or one that depends on objects that are recovered later; use strings, numbers, constants, or comparable records of these"
              .formatted(key == null ? "null" : key.getClass().getTypeName()));
    }
  }

  static Object requireKey(@Nullable Object key) {
    if (key == null || !KEYS.get(key.getClass())) {
      throw new IllegalArgumentException(
          "an object of class %s cannot be in a set or a key of a map that is stored: its hash depends on objects that are recovered later; use strings, numbers, constants, or records of these"
              .formatted(key == null ? "null" : key.getClass().getTypeName()));
    }
    return key;
  }

  /** Records that lead to their own class are none: to hash one from a file might never end. */
  private static boolean isKey(Class<?> type, boolean isSorted, Set<Class<?>> above) {
    ClassShape shape = ClassShapes.of(type);
    if (shape == null || !above.add(type)) {
      return false;
    }
    boolean isKey = hasKeys(shape, isSorted, above);
    above.remove(type);
    return isKey;
  }

  private static boolean hasKeys(ClassShape shape, boolean isSorted, Set<Class<?>> above) {
    return switch (shape.kind()) {
      case STRING, BOX, ENUM, VALUE -> true;
      case COLLECTION, MUTABLE -> false;
      case ARRAY -> !isSorted;
      case STABLE -> !isSorted && hashesByIdentity(shape.type());
      case RECORD ->
          shape.fields().stream()
              .map(each -> each.field().getType())
              .allMatch(each -> each.isPrimitive() || isOfKey(each, isSorted, above));
    };
  }

  /** What is in a component may be of a subclass, unless its class has none. */
  private static boolean isOfKey(Class<?> type, boolean isSorted, Set<Class<?>> above) {
    return (type.isEnum()
            || Modifier.isFinal(type.getModifiers())
            || JdkValues.typeOf(type) != null)
        && isKey(type, isSorted, above);
  }

  private static boolean hashesByIdentity(Class<?> type) {
    try {
      return type.getMethod("hashCode").getDeclaringClass() == Object.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}
