// In the body of a lambda that the release runs.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.function.LongSupplier;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    LongSupplier supplier =
        () -> {
          System.gc(); // expect: R28 "System.gc"
          return 1;
        };
    x += supplier.getAsLong();
  }
}
