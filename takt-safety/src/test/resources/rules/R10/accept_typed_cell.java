// A generic stable cell, used with its type argument.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Desk extends ReflexTask {
  private final Cell<Quote> bid = new Cell<>();

  @Override
  public void execute() {
    Quote quote = new Quote();
    quote.price = 10;
    bid.value = quote;
  }
}

class Quote implements Stable {
  long price;
}

class Cell<T extends Stable> implements Stable {
  T value;
}
