// An unchecked cast makes a cell of bids out of any cell.
// layer: source, because type arguments are gone from bytecode; there the weaver checks the stores
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Swap extends ReflexTask {
  private final Cell<Bid> bid = new Cell<>();

  @Override
  @SuppressWarnings("unchecked")
  public void execute() {
    Cell<?> any = bid;
    Cell<Ask> ask = (Cell<Ask>) any; // expect: R10 "Cell"
    ask.value = new Ask();
  }
}

class Bid implements Stable {
  long price;
}

class Ask implements Stable {
  long price;
}

class Cell<T extends Stable> implements Stable {
  T value;
}
