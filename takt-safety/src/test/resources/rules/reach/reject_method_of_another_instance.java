// A task calls a helper that two tasks share: one finding, not two.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class First extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x = Shared.next(x);
  }
}

class Second extends ReflexTask {
  private int y;

  @Override
  public void execute() {
    y = Shared.next(y) * 2;
  }
}

final class Shared {
  private Shared() {}

  static int next(int value) {
    System.gc(); // expect: R28 "System.gc"
    return value + 1;
  }
}
