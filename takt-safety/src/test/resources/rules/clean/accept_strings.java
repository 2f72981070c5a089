// Comparing and taking apart strings.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

class Symbols extends ReflexTask {
  private static final String OWN = "APPL";
  private Handle orders;
  private int own;

  @Override
  public void initialize() {
    orders = subscribe(new Event("symbol", null));
  }

  @Override
  public void execute() {
    for (Event order : orders) {
      String symbol = order.getString("symbol");
      if (symbol.equals(OWN) || symbol.startsWith("AP") || symbol.indexOf('P') > 2) {
        own += symbol.length() + symbol.hashCode() % 2;
      }
      if (symbol.compareTo(OWN) < 0 && !symbol.isEmpty() && symbol.charAt(0) == 'B') {
        own -= symbol.substring(1).length();
      }
    }
  }
}
