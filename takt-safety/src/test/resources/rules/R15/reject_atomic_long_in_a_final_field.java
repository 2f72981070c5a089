// An AtomicLong has no reference that can change, so it may be kept and read; but what a release
// would set there would stay when the release is undone.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.atomic.AtomicLong;

class Gate extends ReflexTask {
  private final AtomicLong passed;
  private long own;

  Gate(AtomicLong passed) {
    this.passed = passed;
  }

  @Override
  public void execute() {
    own++;
    passed.set(own + passed.get()); // expect: R15 "AtomicLong" "trading.Gate.passed"
  }
}
