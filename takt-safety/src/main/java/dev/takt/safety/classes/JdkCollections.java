package dev.takt.safety.classes;

import dev.takt.safety.flow.Op;
import java.util.Set;

/**
 * The collections of the JDK that change and that persistent objects may have, each in a private
 * field of just its class; and what their methods do, by name. The same names mean the same in all
 * of them, in their views (sets of keys, parts of lists), iterators and entries. What is in no
 * table may not be called.
 */
public final class JdkCollections {
  private static final Set<String> TYPES =
      Set.of(
          "Ljava/util/ArrayList;",
          "Ljava/util/LinkedList;",
          "Ljava/util/ArrayDeque;",
          "Ljava/util/HashMap;",
          "Ljava/util/LinkedHashMap;",
          "Ljava/util/TreeMap;",
          "Ljava/util/HashSet;",
          "Ljava/util/LinkedHashSet;",
          "Ljava/util/TreeSet;");

  /** Change nothing, and give elements or copies. A stream and a spliterator change nothing. */
  private static final Set<String> READS =
      words(
          "get getOrDefault getFirst getLast first last element peek peekFirst peekLast",
          "contains containsKey containsValue containsAll size isEmpty indexOf lastIndexOf",
          "floor ceiling lower higher firstKey lastKey floorKey ceilingKey lowerKey higherKey",
          "firstEntry lastEntry floorEntry ceilingEntry lowerEntry higherEntry comparator",
          "toArray clone forEach stream parallelStream spliterator equals hashCode toString getClass",
          "hasNext next hasPrevious previous nextIndex previousIndex forEachRemaining",
          "getKey getValue");

  /** Give something through which the collection can be changed. */
  private static final Set<String> VIEWS =
      words(
          "iterator listIterator descendingIterator keySet navigableKeySet descendingKeySet values",
          "entrySet subList subMap headMap tailMap descendingMap subSet headSet tailSet",
          "descendingSet reversed sequencedKeySet sequencedValues");

  private static final Set<String> CHANGES =
      words(
          "add addAll addFirst addLast put putAll putIfAbsent putFirst putLast offer offerFirst",
          "offerLast push poll pollFirst pollLast pollFirstEntry pollLastEntry pop remove removeAll",
          "removeFirst removeLast removeIf removeFirstOccurrence removeLastOccurrence retainAll",
          "clear set setValue replace replaceAll compute computeIfAbsent computeIfPresent merge",
          "sort ensureCapacity trimToSize");

  /** What may be called of entries in a set, which change the map: nobody else gets hold of one. */
  private static final Set<String> OF_ENTRIES =
      words("iterator size isEmpty hasNext next remove clear");

  private JdkCollections() {}

  private static Set<String> words(String... lines) {
    return Set.of(String.join(" ", lines).split(" "));
  }

  /** Returns whether a field of a type can hold such a collection, and nothing else. */
  public static boolean isType(String descriptor) {
    return TYPES.contains(descriptor);
  }

  /** Returns whether a method of this name may be called of one, or of what leads into it. */
  public static boolean mayBeCalled(Op.Call call, boolean ofEntries) {
    String name = call.name();
    return isOfJdk(call.owner())
        && (ofEntries
            ? OF_ENTRIES.contains(name)
            : READS.contains(name) || VIEWS.contains(name) || CHANGES.contains(name));
  }

  private static boolean isOfJdk(String owner) {
    return owner.startsWith("java/util/") || owner.startsWith("java/lang/");
  }

  /** Returns whether a call that may be made changes what it is made of. */
  public static boolean changes(String owner, String name) {
    return CHANGES.contains(name) && isOfJdk(owner);
  }

  /** Returns whether a call gives something that leads into the collection. */
  public static boolean givesView(String name) {
    return VIEWS.contains(name);
  }

  /** Returns whether a call gives the next of what an iterator is over. */
  public static boolean givesNext(String name) {
    return name.equals("next") || name.equals("previous");
  }

  /** Returns whether a call only reads a collection that it is given, or wraps it for reading. */
  public static boolean onlyReads(Op.Call call) {
    String name = call.name();
    return switch (call.owner()) {
      case "java/util/List", "java/util/Set", "java/util/Map" -> name.equals("copyOf");
      case "java/util/Collections" -> name.startsWith("unmodifiable");
      case "java/lang/String" -> name.equals("valueOf") || name.equals("join");
      case "java/lang/StringBuilder" -> name.equals("append");
      default -> name.equals("<init>") && isType("L" + call.owner() + ";");
    };
  }

  /** Returns whether a call of a collection reads another one that it is given. */
  public static boolean readsOther(String name) {
    return name.endsWith("All") || name.equals("equals");
  }
}
