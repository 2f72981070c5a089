package dev.takt.cli.snapshot;

import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.inspect.StoredObjects;
import dev.takt.persist.inspect.StoredType;
import dev.takt.persist.inspect.StoredValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All objects of a file, counted: those that can be read if it is damaged.
 *
 * @param roots in the order of the file
 * @param damage what is wrong first, with its offset, or null
 */
public record SnapshotSummary(List<Root> roots, String damage) {
  /**
   * A root.
   *
   * @param name its name
   * @param objects how many objects can be read
   * @param whole whether these are all
   * @param types what they are
   */
  public record Root(String name, long objects, boolean whole, List<TypeCount> types) {}

  /**
   * The objects of one class.
   *
   * @param bytes what they take in the file
   */
  public record TypeCount(StoredType type, long objects, long bytes) {}

  /** Needs no value. */
  private static final StoredValues NOTHING =
      new StoredValues() {
        @Override
        public void primitive(String field, char type, long bits) {}

        @Override
        public void reference(String field, long object) {}

        @Override
        public void text(String text) {}

        @Override
        public void length(int elements) {}

        @Override
        public void element(char type, long bits) {}

        @Override
        public void element(long object) {}
      };

  /** Counts the objects of a file. */
  public static SnapshotSummary of(SnapshotFile file) {
    List<Root> roots = new ArrayList<>();
    long objects = 0;
    for (int i = 0; i < file.roots().size(); i++) {
      Counter counter = new Counter();
      String damage = counter.count(file, i);
      roots.add(counter.root(file.roots().get(i), damage == null));
      objects += counter.objects;
      if (damage != null) {
        return new SnapshotSummary(roots, damage);
      }
    }
    String damage = file.damage();
    if (damage == null && objects != file.objects()) {
      damage =
          "offset %s: objects=%s, the file has %s".formatted(file.bytes(), file.objects(), objects);
    }
    return new SnapshotSummary(roots, damage);
  }

  /** Returns how many objects can be read. */
  public long objects() {
    return roots.stream().mapToLong(Root::objects).sum();
  }

  private static final class Counter {
    private final Map<StoredType, long[]> counts = new LinkedHashMap<>();
    private long objects;

    /** Returns what is wrong, or null. */
    String count(SnapshotFile file, int root) {
      try {
        StoredObjects all = file.objects(root);
        while (all.next()) {
          all.read(NOTHING);
          objects++;
          long[] count = counts.computeIfAbsent(all.type(), _ -> new long[2]);
          count[0]++;
          count[1] += all.end() - all.offset();
        }
        return null;
      } catch (IOException e) {
        return String.valueOf(e.getMessage());
      }
    }

    Root root(String name, boolean whole) {
      List<TypeCount> types = new ArrayList<>();
      counts.forEach((type, count) -> types.add(new TypeCount(type, count[0], count[1])));
      types.sort((one, other) -> Long.compare(other.bytes, one.bytes));
      return new Root(name, objects, whole, types);
    }
  }
}
