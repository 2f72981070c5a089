// In a lambda that a collection of the JDK calls.
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
    values.forEach(
        value -> {
          System.gc(); // expect: R28 "System.gc"
          x += value;
        });
  }
}
