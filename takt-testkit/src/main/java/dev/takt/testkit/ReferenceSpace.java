package dev.takt.testkit;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * An event space as a list and a lock: slow, and meant to be obviously right, so that the fast one
 * can be compared with it.
 *
 * <p>Events and templates are maps from keys to values. In a template {@code null} is a wildcard
 * and a {@link Predicate} is a condition on the value; every other value must be equal. The list is
 * in the order of commits and {@code take} returns the first match; a transaction finds what others
 * have committed before what it has written itself. So a space used by one thread must give exactly
 * the same results.
 *
 * <p>A transaction holds the lock from its begin to its end, which makes every history of
 * transactions a serial one. The space's own operations, used by the thread whose transaction runs,
 * are the "now" operations: they do not see what that transaction wrote, skip what it took, and
 * survive its rollback.
 *
 * <p><b>Thread rule:</b> any thread may use it; a thread waits while another's transaction runs.
 *
 * <p>Source: Reflexes 3.1 and Fig. 3.
 */
public final class ReferenceSpace {
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Entry> entries = new ArrayList<>();

  /**
   * An event in the list; it is committed when it has no writer, and claimed when it has a taker.
   */
  private static final class Entry {
    final Map<String, Object> values;
    Transaction writer;
    Transaction taker;

    Entry(Map<String, Object> values, Transaction writer) {
      this.values = values;
      this.writer = writer;
    }

    boolean isVisibleTo(Transaction reader) {
      return taker == null && (writer == null || writer == reader);
    }
  }

  /**
   * Makes an empty space.
   *
   * @param capacity how many events it holds, those of the running transaction included
   */
  public ReferenceSpace(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity=" + capacity + " (expected: 1 or more)");
    }
    this.capacity = capacity;
  }

  /** Adds an event; false if the space is full. */
  public boolean write(Map<String, ?> event) {
    return locked(() -> add(event, null));
  }

  /** Removes and returns the oldest match, or returns null. */
  public Map<String, Object> take(Map<String, ?> template) {
    return locked(() -> remove(template, null));
  }

  /** Returns whether there is a match. */
  public boolean test(Map<String, ?> template) {
    return locked(() -> find(template, null) != null);
  }

  /** Returns the oldest match without removing it, or null. */
  public Map<String, Object> read(Map<String, ?> template) {
    return locked(() -> valuesOf(find(template, null)));
  }

  /** Returns all matches without removing them, the oldest first. */
  public List<Map<String, Object>> readAll(Map<String, ?> template) {
    return locked(() -> all(template, null));
  }

  /** Returns how many events match. */
  public int count(Map<String, ?> template) {
    return locked(() -> count(template, null));
  }

  /**
   * Returns how many events there are, with those that a running transaction has written or taken.
   */
  public int size() {
    return locked(entries::size);
  }

  /** Returns how many events fit. */
  public int capacity() {
    return capacity;
  }

  /** Begins a transaction; waits until no other thread's transaction runs. */
  public Transaction begin() {
    lock.lock();
    if (lock.getHoldCount() > 1) {
      lock.unlock();
      throw new IllegalStateException(
          "a transaction of this thread runs already; commit it or roll it back first");
    }
    return new Transaction();
  }

  /** A running transaction; for the thread that began it. */
  public final class Transaction {
    private boolean running = true;

    private Transaction() {}

    /** Adds an event; false if the space is full. */
    public boolean write(Map<String, ?> event) {
      return checked(add(event, this));
    }

    /** Removes and returns the oldest match, or returns null. */
    public Map<String, Object> take(Map<String, ?> template) {
      return checked(remove(template, this));
    }

    /** Returns whether there is a match. */
    public boolean test(Map<String, ?> template) {
      return checked(find(template, this) != null);
    }

    /** Returns the oldest match without removing it, or null. */
    public Map<String, Object> read(Map<String, ?> template) {
      return checked(valuesOf(find(template, this)));
    }

    /** Returns all matches without removing them, the oldest first, own writes last. */
    public List<Map<String, Object>> readAll(Map<String, ?> template) {
      return checked(all(template, this));
    }

    /**
     * Makes what was written visible and what was taken disappear.
     *
     * @return the events that are there now because of it
     */
    public List<Map<String, Object>> commit() {
      return end(true);
    }

    /** Undoes everything. */
    public void rollback() {
      end(false);
    }

    private List<Map<String, Object>> end(boolean committed) {
      List<Map<String, Object>> added = new ArrayList<>();
      List<Entry> newest = new ArrayList<>();
      checked(null);
      for (Iterator<Entry> iterator = entries.iterator(); iterator.hasNext(); ) {
        Entry entry = iterator.next();
        if (committed ? entry.taker == this : entry.writer == this) {
          iterator.remove();
        } else if (committed && entry.writer == this) {
          iterator.remove();
          entry.writer = null;
          newest.add(entry);
          added.add(entry.values);
        } else if (!committed && entry.taker == this) {
          entry.taker = null;
        }
      }
      entries.addAll(newest);
      running = false;
      lock.unlock();
      return added;
    }

    private <R> R checked(R result) {
      if (!running) {
        throw new IllegalStateException("the transaction has ended; begin another one");
      }
      return result;
    }
  }

  private interface Action<R> {
    R run();
  }

  private <R> R locked(Action<R> action) {
    lock.lock();
    try {
      return action.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean add(Map<String, ?> event, Transaction writer) {
    if (entries.size() == capacity) {
      return false;
    }
    Map<String, Object> values = new LinkedHashMap<>();
    event.forEach((key, value) -> values.put(key, normal(Objects.requireNonNull(value, key))));
    entries.add(new Entry(values, writer));
    return true;
  }

  private Map<String, Object> remove(Map<String, ?> template, Transaction taker) {
    Entry entry = find(template, taker);
    if (entry == null) {
      return null;
    }
    if (taker == null) {
      entries.remove(entry);
    } else {
      entry.taker = taker;
    }
    return entry.values;
  }

  private Entry find(Map<String, ?> template, Transaction reader) {
    Entry own = null;
    for (Entry entry : entries) {
      if (entry.isVisibleTo(reader) && matches(template, entry.values)) {
        if (entry.writer == null) {
          return entry;
        }
        own = own == null ? entry : own;
      }
    }
    return own;
  }

  private int count(Map<String, ?> template, Transaction reader) {
    int count = 0;
    for (Entry entry : entries) {
      count += entry.isVisibleTo(reader) && matches(template, entry.values) ? 1 : 0;
    }
    return count;
  }

  private List<Map<String, Object>> all(Map<String, ?> template, Transaction reader) {
    List<Map<String, Object>> all = new ArrayList<>();
    List<Map<String, Object>> own = new ArrayList<>();
    for (Entry entry : entries) {
      // for others it is there until its taker commits
      boolean isThere = reader == null ? entry.writer == null : entry.isVisibleTo(reader);
      if (isThere && matches(template, entry.values)) {
        (entry.writer == null ? all : own).add(entry.values);
      }
    }
    all.addAll(own);
    return all;
  }

  private static Map<String, Object> valuesOf(Entry entry) {
    return entry == null ? null : entry.values;
  }

  /**
   * Returns whether a template matches an event: it has the same or fewer keys, and each asks for
   * what is there.
   */
  public static boolean matches(Map<String, ?> template, Map<String, ?> event) {
    for (Map.Entry<String, ?> wanted : template.entrySet()) {
      Object actual = event.get(wanted.getKey());
      if (actual == null) {
        return false;
      }
      if (wanted.getValue() instanceof Predicate<?> condition) {
        @SuppressWarnings("unchecked")
        Predicate<Object> test = (Predicate<Object>) condition;
        if (!test.test(normal(actual))) {
          return false;
        }
      } else if (wanted.getValue() != null && !isSame(wanted.getValue(), actual)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether two events have the same keys with equal values. */
  public static boolean isSameEvent(Map<String, ?> one, Map<String, ?> other) {
    return one.size() == other.size() && matches(one, other);
  }

  /**
   * Returns whether two values are equal as an event space sees it: integers by value, arrays and
   * records by content.
   */
  public static boolean isSame(Object one, Object other) {
    Object a = normal(one);
    Object b = normal(other);
    if (a instanceof Record && a.getClass() == b.getClass()) {
      for (RecordComponent component : a.getClass().getRecordComponents()) {
        if (!isSameComponent(part(a, component), part(b, component))) {
          return false;
        }
      }
      return true;
    }
    return Objects.deepEquals(a, b);
  }

  private static boolean isSameComponent(Object one, Object other) {
    return one == null || other == null ? one == other : isSame(one, other);
  }

  private static Object part(Object value, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot read " + component + " of " + value, e);
    }
  }

  /** Widens integers to long and floating point numbers to double: their width does not count. */
  private static Object normal(Object value) {
    return switch (value) {
      case Integer i -> i.longValue();
      case Short s -> s.longValue();
      case Byte b -> b.longValue();
      case Float f -> f.doubleValue();
      default -> value;
    };
  }
}
