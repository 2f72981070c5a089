package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** A persistent object that has one of each collection of the JDK which changes and is stored. */
@Persistent
public final class Catalog {
  private final String name;
  private final ArrayList<Object> list = new ArrayList<>();
  private LinkedList<Catalog> linked = new LinkedList<>();
  private ArrayDeque<Long> deque = new ArrayDeque<>();
  private HashMap<Object, Object> map = new HashMap<>();
  private LinkedHashMap<String, Catalog> ordered = new LinkedHashMap<>();
  private TreeMap<Object, Object> sorted = new TreeMap<>();
  private HashSet<Object> set = new HashSet<>();
  private LinkedHashSet<String> orderedSet = new LinkedHashSet<>();
  private TreeSet<String> sortedSet = new TreeSet<>();
  private ArrayList<String> none;

  /** Makes one whose collections are empty. */
  public Catalog(String name) {
    this.name = name;
  }

  /** Makes one for recovery, which gives it what was stored instead. */
  Catalog() {
    this("made by the constructor");
    list.add("by the constructor, too");
  }

  /** Puts something into all of them. */
  @PersistentUpdate
  public Catalog fill() {
    for (int i = 0; i < 5; i++) {
      list.add(i % 2 == 0 ? "item " + i : null);
      linked.addFirst(this);
      deque.add(7L * i);
      map.put("key " + i, (double) i);
      ordered.put("entry " + (9 - i), new Catalog("inner " + i));
      sorted.put("sorted " + (9 - i), Color.RED);
      set.add(List.of().size() + i);
      orderedSet.add("element " + (9 - i));
      sortedSet.add("first " + (9 - i));
    }
    map.put(null, null);
    map.put(this, ordered.get("entry 9"));
    list.add(this);
    return this;
  }

  /** Adds something to the list, and the map. */
  @PersistentUpdate
  public void add(Object item) {
    list.add(item);
    map.put("added " + map.size(), item);
  }

  /** Adds an entry of a map, and an element of a set. */
  @PersistentUpdate
  public void key(Object key) {
    map.put(key, key);
    set.add(key);
  }

  /** Adds something to the sorted map. */
  @PersistentUpdate
  public void sort(Object key) {
    sorted.put(key, key);
  }

  /** Gets another sorted map, which orders its keys in a way of its own. */
  @PersistentUpdate
  public void sortLike(java.util.SortedMap<Object, Object> other) {
    sorted = new TreeMap<>(other);
  }

  /** Empties some of them, and gets others instead of the rest. */
  @PersistentUpdate
  public void clear() {
    list.clear();
    map.keySet().clear();
    for (var each = orderedSet.iterator(); each.hasNext(); ) {
      each.next();
      each.remove();
    }
    for (var each : sorted.entrySet()) {
      each.setValue(null);
    }
    linked = new LinkedList<>();
    deque = null;
    ordered = new LinkedHashMap<>();
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Returns how long the list is. */
  public int size() {
    return list.size();
  }

  /** Returns an element of the list. */
  public Object get(int at) {
    return list.get(at);
  }

  /** Returns whether what the collections lead to is this object, where it was put. */
  public boolean leadsToItself() {
    return list.getLast() == this
        && linked.stream().allMatch(each -> each == this)
        && map.get(this) == ordered.get("entry 9");
  }
}
