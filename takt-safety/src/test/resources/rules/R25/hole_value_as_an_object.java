// hole: the static type says Object, so neither front end knows the value; the space refuses it
// when it is written
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Relay extends ReflexTask {
  private int sent;

  @Override
  public void execute() {
    sent++;
    Object value = sent > 5 ? new StringBuilder("late") : "early";
    write(new Event("state", value));
  }
}
