// Records with their generated methods.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Trades extends ReflexTask {
  private long checksum;

  record Trade(long price, int quantity, String symbol) {
    Trade {
      if (quantity < 0) {
        throw new IllegalArgumentException("quantity=" + quantity + " (expected: at least 0)");
      }
    }

    long value() {
      return price * quantity;
    }
  }

  @Override
  public void execute() {
    Trade trade = new Trade(checksum, 3, "APPL");
    if (!trade.equals(new Trade(0, 3, "APPL"))) {
      checksum += trade.hashCode() + trade.value();
    }
    checksum++;
  }
}
