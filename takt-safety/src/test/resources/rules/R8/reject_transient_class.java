// A sample that the task keeps is of a transient class.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Logger extends ReflexTask {
  private Sample last; // expect: R8 declared "last" "Sample"

  @Override
  public void execute() {
    last = new Sample(4);
  }
}

final class Sample {
  private final double value;

  Sample(double value) {
    this.value = value;
  }
}
