package dev.takt.space;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an event, in the order in which they were added: one instance for each distinct
 * sequence, so that two events have the same keys at the same places if, and only if, their shapes
 * are the same object.
 *
 * <p>Shapes form a tree: adding a key leads to a child. All events of one kind share one shape, and
 * everything that can be worked out from the keys alone (which indexes cover an event, where a
 * template's keys are) is worked out once for a shape, not once for an event.
 *
 * <p><b>Thread rule:</b> immutable but for the children, which any thread may add; no thread waits
 * for another.
 *
 * <p><b>Memory:</b> about 250 bytes for each; at most {@link #MAX_SHAPES} in one JVM, for good.
 */
final class Shape {
  /**
   * How many distinct key sequences one JVM may use; a program that exceeds it makes up keys at run
   * time.
   */
  static final int MAX_SHAPES = 65_536;

  /**
   * How many children are compared by identity before the map is asked: a cache line of references.
   * The first ones to come stay, so that kinds of events that share their first keys never write to
   * each other's cache lines.
   */
  private static final int MAX_NEAR = 8;

  private static final Shape[] NONE = {};

  static final Shape EMPTY = new Shape(0, new String[0]);

  private static final AtomicInteger COUNT = new AtomicInteger(1);

  final int id;
  final String[] keys;
  final List<String> keyList;

  /**
   * An open hash table by the last key, at most half full, never changed but replaced by one with
   * another child.
   */
  private final AtomicReference<@Nullable Shape[]> children = new AtomicReference<>(new Shape[2]);

  private volatile Shape[] near = NONE;

  private Shape(int id, String[] keys) {
    this.id = id;
    this.keys = keys;
    this.keyList = List.of(keys);
  }

  /** Returns the place of {@code key}, or -1. */
  @SuppressWarnings("ReferenceEquality")
  int ordinal(String key) {
    String[] keys = this.keys;
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == key) {
        return i;
      }
    }
    return ordinalSlowPath(key);
  }

  private int ordinalSlowPath(String key) {
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the shape with one more key if that is known at a glance, else null.
   *
   * <p>A key that leads to a child is not in this shape, so a hit also saves the search for it
   * here.
   */
  @SuppressWarnings("ReferenceEquality")
  @Nullable Shape near(String key) {
    int ordinal = keys.length;
    for (Shape child : near) {
      if (child.keys[ordinal] == key) {
        return child;
      }
    }
    return null;
  }

  /** Returns the shape with one more key, which must not be there yet. */
  Shape with(String key) {
    @Nullable Shape[] table = children();
    Shape child = table[place(table, key)];
    return child != null ? child : register(key.intern());
  }

  @SuppressWarnings("NullAway") // made with a table, which only another one replaces
  private @Nullable Shape[] children() {
    return children.get();
  }

  /** Returns where the child for a key is in a table, or, if it is not there, would be. */
  private int place(@Nullable Shape[] table, String key) {
    int mask = table.length - 1;
    int at = key.hashCode() & mask;
    while (table[at] != null && !table[at].keys[keys.length].equals(key)) {
      at = at + 1 & mask;
    }
    return at;
  }

  private Shape register(String key) {
    Shape fresh = null;
    while (true) {
      @Nullable Shape[] table = children();
      Shape child = table[place(table, key)];
      if (child != null) {
        return child;
      }
      if (fresh == null) {
        fresh = create(key);
      }
      if (children.compareAndSet(table, withChild(table, fresh))) {
        addNear(fresh);
        return fresh;
      }
    }
  }

  /**
   * Makes the shape of a new child; if another thread was faster with the same key, its id stays
   * unused.
   */
  private Shape create(String key) {
    int id = COUNT.getAndUpdate(count -> Math.min(count + 1, MAX_SHAPES));
    if (id == MAX_SHAPES) {
      throw new IllegalStateException(
          ("too many distinct key sequences: limit=%s, refused=%s+%s; use a fixed set of "
                  + "keys, added in a fixed order, and put what varies into values: a key that "
                  + "is not always there makes twice as many sequences, a value for 'none' "
                  + "makes none")
              .formatted(MAX_SHAPES, Arrays.toString(keys), key));
    }
    String[] more = Arrays.copyOf(keys, keys.length + 1);
    more[keys.length] = key;
    return new Shape(id, more);
  }

  private @Nullable Shape[] withChild(@Nullable Shape[] table, Shape fresh) {
    int count = 1;
    for (Shape child : table) {
      count += child == null ? 0 : 1;
    }
    @Nullable Shape[] copy = 2 * count > table.length ? rehashed(table) : table.clone();
    copy[place(copy, fresh.keys[keys.length])] = fresh;
    return copy;
  }

  private @Nullable Shape[] rehashed(@Nullable Shape[] table) {
    @Nullable Shape[] larger = new Shape[2 * table.length];
    for (Shape child : table) {
      if (child != null) {
        larger[place(larger, child.keys[keys.length])] = child;
      }
    }
    return larger;
  }

  /**
   * A glance may miss a child: of two threads that add one at the same time, one may get its way
   * here.
   */
  private void addNear(Shape child) {
    Shape[] near = this.near;
    if (near.length < MAX_NEAR) {
      near = Arrays.copyOf(near, near.length + 1);
      near[near.length - 1] = child;
      this.near = near;
    }
  }
}
