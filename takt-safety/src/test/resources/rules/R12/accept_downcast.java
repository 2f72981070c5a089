// Down to a stable class: the category is a property of the object's class.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Tour extends ReflexTask {
  private Stop current = new Station();

  @Override
  public void execute() {
    Object any = current;
    if (any instanceof Station station) {
      station.visits++;
    }
    current = ((Station) any).next;
  }
}

abstract class Stop implements Stable {
  Station next;
}

class Station extends Stop {
  int visits;
}
