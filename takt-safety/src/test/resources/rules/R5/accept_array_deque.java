// A queue without locks, for the time of a release.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayDeque;

class Pipeline extends ReflexTask {
  private long sum;

  @Override
  public void execute() {
    ArrayDeque<Long> queue = new ArrayDeque<>();
    queue.push(sum);
    queue.push(2L);
    while (!queue.isEmpty()) {
      sum += queue.pop();
    }
  }
}
