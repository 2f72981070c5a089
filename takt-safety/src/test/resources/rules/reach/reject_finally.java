// In a finally block, which runs on both ways out.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    try {
      x++;
      if (x > 10) {
        throw new IllegalStateException("full");
      }
    } finally {
      System.gc(); // expect: R28 "System.gc"
    }
  }
}
