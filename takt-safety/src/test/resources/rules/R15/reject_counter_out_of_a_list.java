// The shared object takes a way through a list, a field and a lambda.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

class Strokes extends ReflexTask {
  static final Meter TOTAL = new Meter();
  private long own;

  record Reading(Meter meter, long at) {}

  @Override
  public void execute() {
    List<Reading> readings = new ArrayList<>();
    readings.add(new Reading(TOTAL, own++));
    for (Reading reading : readings) {
      reading.meter().strokes = own; // expect: R15 "plant.Meter.strokes" "plant.Strokes.TOTAL"
    }
    Consumer<Meter> count = meter -> meter.strokes++; // expect: R15 "plant.Strokes.TOTAL"
    count.accept(TOTAL);
    List<Object> things = new ArrayList<>();
    things.add(TOTAL);
    ((Meter) things.get(0)).turn();
  }
}

final class Meter {
  long strokes;

  void turn() {
    strokes = -strokes; // expect: R15 "plant.Meter.strokes"
  }
}
