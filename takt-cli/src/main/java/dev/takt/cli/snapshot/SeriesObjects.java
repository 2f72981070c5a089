package dev.takt.cli.snapshot;

import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.inspect.StoredObjects;
import dev.takt.persist.inspect.StoredType;
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
final class SeriesObjects {
  private final ArrayDeque<SnapshotFile> more;
  private final int root;
  private final ObjectText text = new ObjectText();

  /** What objects have become since the file in which they are new. */
  private final Map<Integer, List<ObjectText.Value>> changed = new HashMap<>();

  private StoredObjects part;
  private List<ObjectText.Value> values = List.of();

  private SeriesObjects(List<SnapshotFile> parts, int root) throws IOException {
    this.more = new ArrayDeque<>(parts);
    this.root = root;
    part = more.remove().objects(root);
    for (SnapshotFile each : more) {
      StoredObjects changes = each.objects(root);
      while (changes.next() && changes.isChanged()) {
        changes.read(text);
        changed.put(changes.number(), text.take());
      }
    }
  }

  /** Begins to read a root, of all files the one of the same place. */
  static SeriesObjects of(List<SnapshotFile> parts, int root) throws IOException {
    return new SeriesObjects(parts, root);
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
      part.read(text);
      values = text.take();
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
  List<ObjectText.Value> values() {
    return values;
  }
}
