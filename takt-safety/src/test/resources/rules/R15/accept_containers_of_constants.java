// StaticConstants lie in the same kinds of collections as objects of the task, and only those are written.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Template;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.LongPredicate;

class Containers extends ReflexTask {
  static final double[] TABLE = {1, 2};
  static final Above ABOVE = new Above();
  private int count;

  static final class Above implements LongPredicate {
    private final long[] limits = {1, 2};

    @Override
    public boolean test(long value) {
      return value > limits[0];
    }
  }

  enum Side {
    LEFT,
    RIGHT;

    int weight;
  }

  static final class Counter {
    int n;

    void up() {
      n++;
    }
  }

  record Window(double[] taps) {}

  @Override
  public void execute() {
    double sum = 0;
    for (double[] table : List.of(TABLE)) {
      sum += table[0];
    }
    Map<String, double[]> tables = new TreeMap<>();
    tables.put("a", TABLE);
    for (Map.Entry<String, double[]> each : tables.entrySet()) {
      sum += each.getValue()[1];
    }
    ArrayDeque<Window> windows = new ArrayDeque<>();
    windows.add(new Window(TABLE));
    for (Window window : windows) {
      sum += window.taps()[0];
    }
    sum += Optional.of(TABLE).get()[0];
    for (Side side : EnumSet.of(Side.LEFT)) {
      sum += side.weight;
    }
    StringBuilder text = new StringBuilder();
    text.append(TABLE[0]).append(Side.RIGHT).append(ABOVE);
    count += (int) sum + text.length();
    count += test(new Template("a", null).matchingLong("a", ABOVE)) ? 1 : 0;
    own();
  }

  private void own() {
    Map<Side, Counter> bySide = new EnumMap<>(Side.class);
    bySide.put(Side.LEFT, new Counter());
    for (Counter each : bySide.values()) {
      each.n++;
    }
    Map<String, Counter> byName = new HashMap<>();
    byName.put("a", new Counter());
    byName.get("a").up();
    for (Map.Entry<String, Counter> each : byName.entrySet()) {
      each.getValue().up();
    }
    PriorityQueue<Counter> queue = new PriorityQueue<>((a, b) -> Integer.compare(a.n, b.n));
    queue.add(new Counter());
    queue.poll().up();
    List<Counter> list = new ArrayList<>();
    list.add(new Counter());
    list.sort(Comparator.comparingInt(each -> each.n));
    Collections.sort(list, (a, b) -> a.n - b.n);
    list.removeIf(each -> each.n > 3);
  }
}
