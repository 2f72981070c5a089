package dev.takt.cli.snapshot;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * How two snapshots differ, root by root, each with what it is based on: both are read side by
 * side, object by object in the order of their numbers, which are those of a breadth-first search.
 * As soon as classes differ, one graph has an object that the other has not, and numbers say
 * nothing any more: then objects are counted by class.
 */
public final class SnapshotDiff {
  private final SnapshotSeries one;
  private final SnapshotSeries other;
  private final Consumer<String> lines;
  private final int limit;
  private long differences;

  private SnapshotDiff(
      SnapshotSeries one, SnapshotSeries other, int limit, Consumer<String> lines) {
    this.one = one;
    this.other = other;
    this.limit = limit;
    this.lines = lines;
  }

  /**
   * Finds differences.
   *
   * @param limit how many are told
   * @param lines gets them
   * @return how many there are
   * @throws IOException if a file has been damaged since it was opened
   */
  public static long of(SnapshotSeries one, SnapshotSeries other, int limit, Consumer<String> lines)
      throws IOException {
    SnapshotDiff diff = new SnapshotDiff(one, other, limit, lines);
    diff.run();
    return diff.differences;
  }

  private void run() throws IOException {
    Map<String, Integer> more = new LinkedHashMap<>();
    for (String root : other.roots()) {
      more.put(root, more.size());
    }
    for (int i = 0; i < one.roots().size(); i++) {
      String root = one.roots().get(i);
      Integer place = more.remove(root);
      if (place != null) {
        compare(root, one.objects(i), other.objects(place));
      } else {
        add("root " + root + ": only in the first file");
      }
    }
    more.keySet().forEach(root -> add("root " + root + ": only in the second file"));
  }

  private void add(String line) {
    if (differences++ < limit) {
      lines.accept(line);
    }
  }

  private void compare(String root, SeriesObjects first, SeriesObjects second) throws IOException {
    boolean hasFirst = first.next();
    boolean hasSecond = second.next();
    while (hasFirst && hasSecond && isSameType(first, second)) {
      if (!first.values().equals(second.values())) {
        compare(
            "root %s, object %s, %s".formatted(root, first.number(), first.type().name()),
            first.values(),
            second.values());
      }
      hasFirst = first.next();
      hasSecond = second.next();
    }
    if (hasFirst || hasSecond) {
      int from = hasFirst ? first.number() : second.number();
      add("root %s: other objects from object %s on; by class:".formatted(root, from));
      countRest(root, hasFirst ? first : null, hasSecond ? second : null);
    }
  }

  private static boolean isSameType(SeriesObjects first, SeriesObjects second) {
    return first.type().name().equals(second.type().name())
        && first.type().kindName().equals(second.type().kindName());
  }

  private void compare(String object, List<ObjectText.Value> before, List<ObjectText.Value> after) {
    Map<String, ObjectText.Value> left = new TreeMap<>();
    before.forEach(each -> left.put(each.field(), each));
    for (ObjectText.Value each : after) {
      ObjectText.Value was = left.remove(each.field());
      String field = each.field().isEmpty() ? object : object + "." + each.field();
      if (was == null) {
        add(field + ": only in the second file: " + each.text());
      } else if (!was.equals(each)) {
        add(field + ": " + was.text() + " -> " + each.text());
      }
    }
    left.forEach(
        (field, each) -> add(object + "." + field + ": only in the first file: " + each.text()));
  }

  private void countRest(String root, SeriesObjects first, SeriesObjects second)
      throws IOException {
    Map<String, long[]> counts = new TreeMap<>();
    count(first, counts, 0);
    count(second, counts, 1);
    for (Map.Entry<String, long[]> each : counts.entrySet()) {
      long[] count = each.getValue();
      if (count[0] != count[1]) {
        add("root %s, %s: %,d objects -> %,d".formatted(root, each.getKey(), count[0], count[1]));
      }
    }
  }

  private static void count(SeriesObjects objects, Map<String, long[]> counts, int side)
      throws IOException {
    boolean has = objects != null;
    while (has) {
      counts.computeIfAbsent(objects.type().name(), _ -> new long[2])[side]++;
      has = objects.next();
    }
  }
}
