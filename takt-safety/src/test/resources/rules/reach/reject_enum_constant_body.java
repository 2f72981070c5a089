// In the body of one constant of an enum.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x = (x > 5 ? Operation.UP : Operation.DOWN).apply(x);
  }
}

enum Operation {
  UP {
    @Override
    int apply(int value) {
      return value + 1;
    }
  },
  DOWN {
    @Override
    int apply(int value) {
      System.gc(); // expect: R28 "System.gc"
      return value - 1;
    }
  };

  abstract int apply(int value);
}
