// In an atomic method.
// layer: both
package reach;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Atomic
  public void set(int value) {
    x = value;
    System.gc(); // expect: R28 "System.gc"
  }

  @Override
  public void execute() {
    x++;
  }
}
