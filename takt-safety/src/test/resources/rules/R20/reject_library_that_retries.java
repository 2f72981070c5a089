// A library calls back, and swallows whatever the callback throws. It is not woven.
// layer: both
// library: vendor/Retry.java
package trading;

import dev.takt.reflex.ReflexTask;
import vendor.Retry;

class Retrier extends ReflexTask {
  private int failures;

  @Override
  public void execute() {
    failures += Retry.times(() -> {}, 3); // expect: R20 "vendor.Retry"
  }
}
