package dev.takt.persist.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The collections of the JDK that change and are stored: those in a private field of just their
 * class in a persistent object, where the weaver guards them. They are stored by their class and
 * their elements in the order of iteration, a map as keys and values in turn, and need no
 * declaration; their elements do.
 *
 * <p><b>Keys</b> have to be such as in {@link Immutables}. What is sorted has the natural order,
 * and its elements are strings, boxes, values, constants, or records of these.
 *
 * <p><b>Thread rule:</b> any thread; nobody may change a collection while it is read.
 */
public final class Mutables {
  private static final Set<Class<?>> TYPES =
      Set.of(
          ArrayList.class,
          LinkedList.class,
          ArrayDeque.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class);

  private Mutables() {}

  /** Returns whether instances of just this class are such collections. */
  public static boolean isType(Class<?> type) {
    return TYPES.contains(type);
  }

  /** Returns the class of a name, or null if its instances are others. */
  public static @Nullable Class<?> find(String name) {
    for (Class<?> type : TYPES) {
      if (type.getName().equals(name)) {
        return type;
      }
    }
    return null;
  }

  /** Returns how many elements one has; of a map, keys and values. */
  public static int size(Object mutable) {
    return mutable instanceof Map<?, ?> map
        ? (int) Math.min(Integer.MAX_VALUE - 17, 2L * map.size())
        : ((Collection<?>) mutable).size();
  }

  /** Begins to read the elements; of a map, the entries. */
  public static Iterator<?> iterator(Object mutable) {
    return mutable instanceof Map<?, ?> map
        ? map.entrySet().iterator()
        : ((Collection<?>) mutable).iterator();
  }

  /**
   * Copies the elements; no code of the program runs.
   *
   * @param from where the first one comes
   * @param size how many there are
   */
  public static void copy(Object mutable, @Nullable Object[] into, int from, int size) {
    boolean isMap = mutable instanceof Map;
    Iterator<?> elements = iterator(mutable);
    for (int i = from; i < from + size; i++) {
      Object next = elements.next();
      if (isMap && next instanceof Map.Entry<?, ?> entry) {
        into[i++] = entry.getKey();
        into[i] = entry.getValue();
      } else {
        into[i] = next;
      }
    }
  }

  /**
   * Finds out whether one could be made of these elements again.
   *
   * @param size how many there are
   * @throws IllegalArgumentException if not
   */
  public static void require(Object mutable, @Nullable Object[] elements, int size) {
    Object order =
        switch (mutable) {
          case SortedMap<?, ?> map -> map.comparator();
          case SortedSet<?> set -> set.comparator();
          default -> null;
        };
    if (order != null) {
      throw new IllegalArgumentException(
          "a %s with the comparator %s cannot be stored, since nothing of that is; use the natural order of its keys, or keys made for that"
              .formatted(mutable.getClass().getName(), order.getClass().getTypeName()));
    }
    requireKeys(mutable.getClass(), elements, size);
  }

  private static void requireKeys(Class<?> type, @Nullable Object[] elements, int size) {
    boolean isMap = Map.class.isAssignableFrom(type);
    if (!isMap && !Set.class.isAssignableFrom(type)) {
      return;
    }
    boolean isSorted = type == TreeMap.class || type == TreeSet.class;
    for (int i = 0; i < size; i += isMap ? 2 : 1) {
      if (isSorted) {
        Immutables.requireSortable(elements[i]);
      } else if (elements[i] != null) {
        Immutables.requireKey(elements[i]);
      }
    }
  }

  /**
   * Makes one.
   *
   * @param type one that {@link #find} gives
   * @throws IllegalArgumentException if it cannot have these elements
   */
  public static Object make(Class<?> type, @Nullable Object[] elements) {
    requireKeys(type, elements, elements.length);
    int size;
    Object made;
    try {
      if (Map.class.isAssignableFrom(type)) {
        Map<@Nullable Object, @Nullable Object> map = map(type, elements);
        size = 2 * map.size();
        made = map;
      } else {
        Collection<@Nullable Object> collection = collection(type, elements);
        size = collection.size();
        made = collection;
      }
    } catch (RuntimeException e) { // of the program's own compareTo, hashCode or equals
      throw new IllegalArgumentException(
          "a %s cannot have these elements: %s".formatted(type.getName(), e), e);
    }
    if (size != elements.length) {
      throw new IllegalArgumentException(
          "a %s has a key twice, or one without a value: elements=%s, expected: %s"
              .formatted(type.getName(), elements.length, size));
    }
    return made;
  }

  private static Map<@Nullable Object, @Nullable Object> map(
      Class<?> type, @Nullable Object[] elements) {
    int size = elements.length / 2;
    Map<@Nullable Object, @Nullable Object> map =
        type == TreeMap.class
            ? new TreeMap<>()
            : type == LinkedHashMap.class
                ? LinkedHashMap.newLinkedHashMap(size)
                : HashMap.newHashMap(size);
    for (int i = 0; i < 2 * size; i += 2) {
      map.put(elements[i], elements[i + 1]);
    }
    return map;
  }

  private static Collection<@Nullable Object> collection(
      Class<?> type, @Nullable Object[] elements) {
    List<@Nullable Object> all = Arrays.asList(elements);
    if (type == ArrayList.class) {
      return new ArrayList<>(all);
    }
    Collection<@Nullable Object> made =
        type == LinkedList.class
            ? new LinkedList<>()
            : type == ArrayDeque.class
                ? new ArrayDeque<>(elements.length)
                : type == TreeSet.class
                    ? new TreeSet<>()
                    : type == LinkedHashSet.class
                        ? LinkedHashSet.newLinkedHashSet(elements.length)
                        : HashSet.newHashSet(elements.length);
    made.addAll(all);
    return made;
  }
}
