// A path that ends in a throw, but the same method catches it.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    try {
      if (x > 10) {
        System.gc(); // expect: R28 "System.gc"
        throw new IllegalStateException("full");
      }
      x++;
    } catch (IllegalStateException e) {
      x = 0;
    }
  }
}
