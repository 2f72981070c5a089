// A method reference is a call in waiting.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    x++;
    run(System::gc); // expect: R28 "System.gc"
  }

  private static void run(Runnable action) {
    action.run();
  }
}
