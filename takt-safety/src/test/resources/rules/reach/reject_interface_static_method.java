// In private and static methods of an interface.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x = Tools.twice(x);
  }
}

interface Tools {
  static int twice(int value) {
    return clean(value) * 2;
  }

  private static int clean(int value) {
    System.gc(); // expect: R28 "System.gc"
    return value;
  }
}
