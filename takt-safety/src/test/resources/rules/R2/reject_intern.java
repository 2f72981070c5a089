// Interning a symbol looks it up in a table of the JVM.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

class Symbols extends ReflexTask {
  private Handle orders;
  private int seen;

  @Override
  public void initialize() {
    orders = subscribe(new Event("symbol", null));
  }

  @Override
  public void execute() {
    for (Event order : orders) {
      if (order.getString("symbol").intern() == "APPL") { // expect: R2 "intern"
        seen++;
      }
    }
  }
}
