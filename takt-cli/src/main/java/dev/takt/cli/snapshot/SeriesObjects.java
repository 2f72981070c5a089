package dev.takt.cli.snapshot;

import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.inspect.StoredObjects;
import dev.takt.persist.inspect.StoredType;
import dev.takt.persist.inspect.StoredValues;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects of one root of a series, in the order of their numbers, each as the newest file has
 * it. First the changed objects of all files are read, then the new ones of each, so what is kept
 * is the values of those that have changed.
 */
final class SeriesObjects<T> {
  /**
   * Takes the values of one object.
   *
   * @param <T> what becomes of them
   */
  interface Taker<T> extends StoredValues {
    /** Returns what was read, and begins anew. */
    T take();
  }

  private final ArrayDeque<SnapshotFile> more;
  private final int root;
  private final Taker<T> taker;

  /** What objects have become since the file in which they are new. */
  private final Map<Integer, T> changed = new HashMap<>();

  private StoredObjects part;
  private T values;

  private SeriesObjects(List<SnapshotFile> parts, int root, Taker<T> taker) throws IOException {
    this.more = new ArrayDeque<>(parts);
    this.root = root;
    this.taker = taker;
    part = more.remove().objects(root);
    for (SnapshotFile each : more) {
      StoredObjects changes = each.objects(root);
      while (changes.next() && changes.isChanged()) {
        changes.read(taker);
        changed.put(changes.number(), taker.take());
      }
    }
  }

  /** Begins to read a root, of all files the one of the same place. */
  static <T> SeriesObjects<T> of(List<SnapshotFile> parts, int root, Taker<T> taker)
      throws IOException {
    return new SeriesObjects<>(parts, root, taker);
  }

  /** Goes to the next object; returns false if there is none. */
  boolean next() throws IOException {
    while (true) {
      if (!part.next()) {
        if (more.isEmpty()) {
          return false;
        }
        part = more.remove().objects(root);
        continue;
      }
      part.read(taker);
      values = taker.take();
      if (!part.isChanged()) {
        values = changed.getOrDefault(part.number(), values);
        return true;
      }
    }
  }

  /** Returns the number of the object. */
  int number() {
    return part.number();
  }

  /** Returns its class. */
  StoredType type() {
    return part.type();
  }

  /** Returns its values. */
  T values() {
    return values;
  }
}
