// A transient record that refers to a stable object.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Auction extends ReflexTask {
  private final Lot lot = new Lot();

  private record ReachedMethod(Lot lot, long price) {}

  @Override
  public void execute() {
    ReachedMethod visit = new ReachedMethod(lot, lot.best + 1);
    visit.lot().best = visit.price();
  }
}

class Lot implements Stable {
  long best;
}
