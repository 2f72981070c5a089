// An updater stores past the barrier.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

class Sequencer extends ReflexTask {
  private volatile long sequence;

  @Override
  public void execute() {
    advance(null);
    sequence++;
  }

  private void advance(AtomicLongFieldUpdater<Sequencer> updater) {
    updater.incrementAndGet(this); // expect: R29 "AtomicLongFieldUpdater"
  }
}
