// hole: the loop over a handle overwrites the event of the step before; that an object of the
// release has kept that event a step too long is not seen
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

class Pairing extends ReflexTask {
  private Handle offers;
  private long difference;

  record Kept(Event event) {}

  @Override
  public void initialize() {
    offers = subscribe(new Event("price", null));
  }

  @Override
  public void execute() {
    Kept kept = null;
    for (Event offer : offers) {
      if (kept != null) {
        difference = offer.getLong("price") - kept.event().getLong("price");
      }
      kept = new Kept(offer);
    }
  }
}
