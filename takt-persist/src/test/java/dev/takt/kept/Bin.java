package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.TreeMap;

/** Collections that one thread changes. */
@Persistent
final class Bin {
  private static final int MOST = 60;

  private final int id;
  private final ArrayList<Object> list = new ArrayList<>();
  private final ArrayDeque<Bin> deque = new ArrayDeque<>();
  private HashMap<Long, Object> map = new HashMap<>();
  private final LinkedHashMap<String, Bin> ordered = new LinkedHashMap<>();
  private final TreeMap<Integer, String> sorted = new TreeMap<>();
  private HashSet<String> set;

  Bin(int id) {
    this.id = id;
    list.add(id);
  }

  @PersistentUpdate
  void change(long order, Bin other) {
    int number = (int) (order >>> 40 & 63);
    switch ((int) (order >>> 32 & 15)) {
      case 0 -> list.add("text " + number);
      case 1 -> list.set(number % list.size(), other);
      case 2 -> shorten();
      case 3 -> map.put((long) number, other);
      case 4 -> map.remove((long) number);
      case 5 -> map.replaceAll((key, value) -> value instanceof Long old ? old + 1 : key);
      case 6 -> ordered.put("key " + number, other);
      case 7 -> ordered.keySet().removeIf(each -> each.hashCode() % 2 == 0);
      case 8 -> sorted.merge(number, "x", (a, b) -> a.length() > 9 ? b : a + b);
      case 9 -> sorted.headMap(number).clear();
      case 10 -> pass(other);
      case 11 -> set = set == null ? new HashSet<>() : null;
      case 12 -> grow(number);
      case 13 -> map = new HashMap<>(map);
      case 14 -> rename(number);
      default -> list.add(0, other);
    }
    if (set != null) {
      set.add("element " + number % 7);
    }
  }

  private boolean isFull() {
    return list.size() > MOST || map.size() > MOST || deque.size() > MOST;
  }

  @PersistentUpdate
  private void shorten() {
    if (list.size() > 3) {
      list.subList(3, list.size()).clear();
    }
  }

  @PersistentUpdate
  private void pass(Bin other) {
    deque.addLast(other);
    Bin first = deque.size() > 3 ? deque.pollFirst() : null;
    if (first != null) {
      ordered.putIfAbsent("passed", first);
    }
  }

  /** Makes many changes at once. */
  @PersistentUpdate
  private void grow(int number) {
    ArrayList<Object> all = list;
    HashMap<Long, Object> byNumber = map;
    for (int i = 0; i < number && !isFull(); i++) {
      all.add(i);
      byNumber.put((long) i, (long) number);
    }
    deque.add(this);
  }

  /** Changes entries while it walks through them. */
  @PersistentUpdate
  private void rename(int number) {
    for (var each : sorted.entrySet()) {
      each.setValue(each.getKey() + "/" + number);
    }
    for (var each = deque.iterator(); each.hasNext(); ) {
      if (each.next().id % 2 == 0) {
        each.remove();
      }
    }
  }
}
