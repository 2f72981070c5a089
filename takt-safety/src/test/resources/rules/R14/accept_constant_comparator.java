// A comparator in a constant, made of a lambda that captures nothing.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Ranking extends ReflexTask {
  private static final Comparator<Offer> BY_PRICE =
      (a, b) -> Long.compare(a.price(), b.price());
  private long best;

  record Offer(long price) {}

  @Override
  public void execute() {
    List<Offer> offers = new ArrayList<>();
    offers.add(new Offer(4));
    offers.add(new Offer(best));
    if (BY_PRICE.compare(offers.get(0), offers.get(1)) < 0) {
      best = offers.get(0).price();
    }
  }
}
