// The law comes from ordinary code: no task makes an instance of its class, but tasks call it.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private final Law law;
  private int x;

  Task(Law law) {
    this.law = law;
  }

  @Override
  public void execute() {
    x = law.next(x);
  }
}

abstract class Law {
  abstract int next(int value);
}

final class Steady extends Law {
  @Override
  int next(int value) {
    System.gc(); // expect: R28 "System.gc"
    return value;
  }
}

class Main {
  Task make() {
    return new Task(new Steady());
  }
}
