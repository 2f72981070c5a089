// In a default method that a record inherits.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    Step step = new Twice();
    x = step.apply(x);
  }
}

interface Step {
  long once(long value);

  default long apply(long value) {
    System.gc(); // expect: R28 "System.gc"
    return once(value);
  }
}

record Twice() implements Step {
  @Override
  public long once(long value) {
    return value * 2;
  }
}
