// The methods of records and pattern switches are linked at the start.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Matcher extends ReflexTask {
  private long volume;

  sealed interface Order permits Limit, Market {}

  record Limit(long price, long quantity) implements Order {}

  record Market(long quantity) implements Order {}

  @Override
  public void execute() {
    Order order = volume % 2 == 0 ? new Limit(10, 1) : new Market(2);
    if (order.equals(new Limit(10, 1)) || order.hashCode() == 7) {
      volume++;
    }
    volume +=
        switch (order) {
          case Limit(long price, long quantity) when price > 0 -> quantity;
          case Limit ignored -> 0;
          case Market(long quantity) -> quantity;
        };
  }
}
