// A task is made by ordinary code, whose values it gets.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private final String name;
  private int x;

  Task(String name, int x) {
    super(1_024, 1_024);
    this.name = name;
    this.x = x;
  }

  @Override
  public void execute() {
    x += name.length();
  }
}

class Main {
  static Task start(String... args) {
    return new Task(args[0], Integer.getInteger("x", 3));
  }
}
