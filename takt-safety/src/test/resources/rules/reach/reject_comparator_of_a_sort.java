// The comparator that sorting calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    List<Integer> values = new ArrayList<>();
    values.add(4);
    values.add(x);
    values.sort(
        (a, b) -> {
          System.gc(); // expect: R28 "System.gc"
          return a - b;
        });
    x = values.get(0);
  }
}
