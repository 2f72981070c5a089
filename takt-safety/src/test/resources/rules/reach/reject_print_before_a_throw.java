// Printing, and then giving up.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x++;
    if (x > 10) {
      System.gc(); // expect: R28 "System.gc"
      throw new IllegalStateException("x=" + x);
    }
  }
}
