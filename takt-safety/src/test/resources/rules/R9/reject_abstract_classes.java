// An abstract class answers for what it inherits, and what an abstract superclass has counts, too.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

abstract class Tagged {
  Object tag;
}

abstract class Gauge extends Tagged implements Stable { // expect: R9 declared "tag"
  long value;
}

class Dial extends Gauge {
  int marks;
}

abstract class Labelled {
  StringBuilder label;
}

class Lamp extends Labelled implements Stable { // expect: R9 declared "label"
  boolean lit;
}

class Panel extends ReflexTask {
  private final Dial dial = new Dial();
  private final Lamp lamp = new Lamp();

  @Override
  public void execute() {
    dial.value++;
    lamp.lit = !lamp.lit;
  }
}
