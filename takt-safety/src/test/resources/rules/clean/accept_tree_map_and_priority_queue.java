// Sorted collections of the JDK.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.PriorityQueue;
import java.util.TreeMap;

class Ordered extends ReflexTask {
  private long first;

  @Override
  public void execute() {
    TreeMap<Long, String> byTime = new TreeMap<>();
    byTime.put(first, "first");
    byTime.put(4L, "second");
    if (byTime.firstKey() < 4 && byTime.ceilingKey(3L) != null) {
      byTime.pollFirstEntry();
    }
    PriorityQueue<Long> queue = new PriorityQueue<>();
    queue.add(byTime.lastKey());
    queue.add(2L);
    first = queue.poll();
  }
}
