package dev.takt.cli.snapshot;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * How two snapshots differ, root by root, each with what it is based on. First the objects of both
 * are {@linkplain Pairing paired} by what they hold, whatever their numbers are; then both are read
 * side by side, and the values of pairs are compared, references by what they lead to. Objects that
 * only one of them has are counted by class.
 *
 * <p><b>Bounds:</b> where both have more than {@value #MAX_PAIRED} objects, they are paired by
 * their numbers, up to the first two of different classes.
 */
public final class SnapshotDiff {
  private static final long MAX_PAIRED = 8_000_000;

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
        compare(root, i, place);
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

  private int[] pairs(int first, int second) throws IOException {
    return one.allObjects() + other.allObjects() > MAX_PAIRED
        ? pairsByNumber(first, second)
        : Pairing.of(ObjectShapes.of(one, first), ObjectShapes.of(other, second));
  }

  private int[] pairsByNumber(int first, int second) throws IOException {
    SeriesObjects<List<ObjectText.Value>> left = one.objects(first, new ObjectText(n -> n));
    SeriesObjects<List<ObjectText.Value>> right = other.objects(second, new ObjectText(n -> n));
    int count = 0;
    while (left.next() && right.next() && isSameType(left, right)) {
      count++;
    }
    return IntStream.range(0, count).toArray();
  }

  private static boolean isSameType(SeriesObjects<?> first, SeriesObjects<?> second) {
    return first.type().name().equals(second.type().name())
        && first.type().kindName().equals(second.type().kindName());
  }

  private void compare(String root, int first, int second) throws IOException {
    int[] pairs = pairs(first, second);
    SeriesObjects<List<ObjectText.Value>> left =
        one.objects(first, new ObjectText(number -> compared(number, pair(pairs, number))));
    SeriesObjects<List<ObjectText.Value>> right = other.objects(second, new ObjectText(n -> n));
    Map<String, long[]> alone = new TreeMap<>();
    boolean hasRight = right.next();
    while (left.next()) {
      int pair = pair(pairs, left.number());
      if (pair < 0) {
        count(left, alone, 0);
        continue;
      }
      while (right.number() < pair) {
        count(right, alone, 1);
        hasRight = right.next();
      }
      compare(
          "root %s, object %s, %s".formatted(root, left.number(), left.type().name()),
          left.values(),
          right.values());
      hasRight = right.next();
    }
    while (hasRight) {
      count(right, alone, 1);
      hasRight = right.next();
    }
    alone.forEach(
        (type, count) ->
            add(
                "root %s, %s: objects only in the first file: %,d, only in the second: %,d"
                    .formatted(root, type, count[0], count[1])));
  }

  /** What has no pair is compared by a number that nothing in the other file has. */
  private static long compared(long number, int pair) {
    return pair < 0 ? -2 - number : pair;
  }

  private static int pair(int[] pairs, long number) {
    return number < pairs.length ? pairs[(int) number] : -1;
  }

  private static void count(SeriesObjects<?> object, Map<String, long[]> counts, int side) {
    counts.computeIfAbsent(object.type().name(), _ -> new long[2])[side]++;
  }

  private static boolean isSame(List<ObjectText.Value> before, List<ObjectText.Value> after) {
    boolean isSame = before.size() == after.size();
    for (int i = 0; isSame && i < before.size(); i++) {
      isSame = before.get(i).isSame(after.get(i));
    }
    return isSame;
  }

  private void compare(String object, List<ObjectText.Value> before, List<ObjectText.Value> after) {
    if (isSame(before, after)) {
      return;
    }
    Map<String, ObjectText.Value> left = new TreeMap<>();
    before.forEach(each -> left.put(each.field(), each));
    for (ObjectText.Value each : after) {
      ObjectText.Value was = left.remove(each.field());
      String field = each.field().isEmpty() ? object : object + "." + each.field();
      if (was == null) {
        add(field + ": only in the second file: " + each.text());
      } else if (!was.isSame(each)) {
        String note = was.text().equals(each.text()) ? " (not the same)" : "";
        add(field + ": " + was.text() + " -> " + each.text() + note);
      }
    }
    left.forEach(
        (field, each) -> add(object + "." + field + ": only in the first file: " + each.text()));
  }
}
