// A switch over strings, and text taken from numbers.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Sides extends ReflexTask {
  private long net;

  @Override
  public void execute() {
    Event order = take(new Event("side", null));
    if (order == null) {
      return;
    }
    switch (order.getString("side")) {
      case "buy" -> net++;
      case "sell" -> net--;
      default -> net = 0;
    }
    write(new Event("net", Long.toString(net)).add("text", String.valueOf(net)));
  }
}
