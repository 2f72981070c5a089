// A lambda that refers to stable state is transient all the same.
// layer: both
// neighbour: R8, because R12 itself only permits
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.function.LongSupplier;

class Gauges extends ReflexTask {
  private LongSupplier reading; // expect: R8 declared "reading" "LongSupplier"
  private long value;

  @Override
  public void execute() {
    reading = () -> value;
    value += reading.getAsLong();
  }
}
