// The lambda was made by a static initializer; the release calls it.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.function.LongUnaryOperator;

class Task extends ReflexTask {
  private static final LongUnaryOperator STEP =
      value -> {
        System.gc(); // expect: R28 "System.gc"
        return value + 1;
      };
  private long x;

  @Override
  public void execute() {
    x = STEP.applyAsLong(x);
  }
}
