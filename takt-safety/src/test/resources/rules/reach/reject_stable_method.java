// In a method of a stable object behind an interface.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Task extends ReflexTask {
  private final Part part = new Wheel();
  private int x;

  @Override
  public void execute() {
    part.turn();
    x++;
  }
}

interface Part extends Stable {
  void turn();
}

class Wheel implements Part {
  private int turns;

  @Override
  public void turn() {
    turns++;
    System.gc(); // expect: R28 "System.gc"
  }
}
