// In a method that the task inherits from an abstract task.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

abstract class Template extends ReflexTask {
  private int releases;

  @Override
  public void execute() {
    releases++;
    work(releases);
    System.gc(); // expect: R28 "System.gc"
  }

  abstract void work(int release);
}

class Task extends Template {
  private int x;

  @Override
  void work(int release) {
    x = release;
  }
}
