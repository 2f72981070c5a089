// hole: an AtomicLong has no reference that can change, so it may be kept; what a release has
// counted there stays when the release is undone
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
    passed.set(own);
  }
}
