package dev.takt.persist.graph;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what it takes to make sets and maps again whose keys somebody has chosen so that many have
 * one hash: such a key is compared with all others of its hash. {@code HashMap} makes trees of
 * those that have an order, such as strings; immutable sets and maps do not.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class KeyCosts {
  /** As many comparisons as take a second or so. */
  private static final long FREE = 1L << 26;

  private static final int FREE_OF_KEY = 64;

  private long keys;
  private long comparisons;

  /** Makes one for the collections of a section. */
  public KeyCosts() {}

  /**
   * A collection is about to be made.
   *
   * @param type its class or interface
   * @param elements a map's keys and values in turn
   * @throws IllegalArgumentException if the keys so far take too many comparisons
   */
  public void add(Class<?> type, @Nullable Object[] elements) {
    boolean isMap = Map.class.isAssignableFrom(type);
    boolean isHashed = isMap || Set.class.isAssignableFrom(type);
    boolean isSorted =
        SortedMap.class.isAssignableFrom(type) || SortedSet.class.isAssignableFrom(type);
    if (!isHashed || isSorted || elements.length <= FREE_OF_KEY) {
      return;
    }
    int[] hashes = new int[elements.length];
    int count = 0;
    Class<?> last = null;
    boolean isInTree = false;
    for (int i = 0; i < elements.length; i += isMap ? 2 : 1) {
      Object key = elements[i];
      if (key != null && key.getClass() != last) {
        last = key.getClass();
        isInTree = Mutables.isType(type) && isOrdered(last);
      }
      if (key != null && !isInTree) {
        hashes[count++] = hash(key);
      }
    }
    Arrays.sort(hashes, 0, count);
    keys += count;
    for (int i = 0; i < count; ) {
      int begin = i;
      while (i < count && hashes[i] == hashes[begin]) {
        i++;
      }
      comparisons += (long) (i - begin) * (i - begin) / 2;
    }
    long limit = FREE + FREE_OF_KEY * keys;
    if (comparisons > limit) {
      throw new IllegalArgumentException(
          "a %s has too many keys of one hash: keys=%s, comparisons of all so far=%s, limit=%s; give the class of its keys a better hashCode"
              .formatted(type.getName(), count, comparisons, limit));
    }
  }

  private static int hash(Object key) {
    try {
      return key.hashCode();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "the hash of a key of class %s fails: %s".formatted(key.getClass().getName(), e), e);
    }
  }

  /** Whether a hash map finds its way among keys of one hash; a program's own order can be none. */
  private static boolean isOrdered(Class<?> type) {
    for (Type each : type.isRecord() ? new Type[0] : type.getGenericInterfaces()) {
      if (each instanceof ParameterizedType order
          && order.getRawType() == Comparable.class
          && order.getActualTypeArguments()[0] == type) {
        return true;
      }
    }
    return false;
  }
}
