// Leaving something in a static, and then giving up.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  static String why;
  private int x;

  @Override
  public void execute() {
    x++;
    if (x > 10) {
      why = "too much"; // expect: R15 "why"
      throw new IllegalStateException("x=" + x);
    }
  }
}
