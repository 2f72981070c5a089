// A record is only as immutable as its components.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.ArrayList;
import java.util.List;

class Baskets extends ReflexTask {
  private int sent;

  record Basket(String name, List<String> symbols) {}

  @Override
  public void execute() {
    sent++;
    Basket basket = new Basket("tech", new ArrayList<>());
    write(new Event("basket", basket)); // expect: R25 "Basket"
  }
}
