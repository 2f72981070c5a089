// Also in a stable object that is not a task, and in what a method is given.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Feeder extends ReflexTask {
  private final Valve valve;

  Feeder(Valve valve) {
    this.valve = valve;
  }

  @Override
  public void execute() {
    valve.open();
  }
}

class Valve implements Stable {
  private final Strokes strokes;
  private boolean open;

  Valve(Strokes strokes) {
    this.strokes = strokes;
  }

  void open() {
    open = !open;
    count(strokes);
  }

  private static void count(Strokes of) {
    of.count++; // expect: R15 "plant.Strokes.count" "plant.Valve.strokes"
  }
}

final class Strokes {
  int count;
}
