// On a path that throws in one branch only.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    if (x > 10) {
      System.gc(); // expect: R28 "System.gc"
      if (x > 20) {
        throw new IllegalStateException("x=" + x);
      }
    }
    x++;
  }
}
