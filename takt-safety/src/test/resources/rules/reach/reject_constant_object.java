// The object in a constant was made by a static initializer.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x = Laws.DEFAULT.next(x);
  }
}

sealed interface Law permits Laws.Steady {
  int next(int value);
}

final class Laws {
  static final Law DEFAULT = new Steady();

  private Laws() {}

  static final class Steady implements Law {
    @Override
    public int next(int value) {
      System.gc(); // expect: R28 "System.gc"
      return value;
    }
  }
}
