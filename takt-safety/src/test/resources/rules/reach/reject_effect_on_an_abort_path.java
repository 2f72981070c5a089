// An abort path may allocate, but an effect that stays is none the better for it.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x++;
    if (x > 10) {
      throw new IllegalStateException("x=" + x + Report.make(x));
    }
  }
}

final class Report {
  private Report() {}

  static String make(int x) {
    System.gc(); // expect: R28 "System.gc"
    return x > 20 ? " far too much" : " too much";
  }
}
