// A task needs no lock: it runs on one thread at a time.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Counter extends ReflexTask {
  private long bids;
  private long asks;

  @Override
  public void execute() {
    if (bids <= asks) {
      bids++;
    } else {
      asks++;
    }
  }
}
