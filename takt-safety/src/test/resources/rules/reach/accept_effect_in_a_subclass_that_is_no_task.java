// A class with the same method names that is no task.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x++;
  }
}

class Lookalike {
  public void initialize() {
    System.out.println("ready");
  }

  public void execute() {
    System.out.println("done");
  }
}
