// A superclass that is not stable itself, but holds numbers only.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Plotter extends ReflexTask {
  private final Pen pen = new Pen();

  @Override
  public void execute() {
    pen.x += 0.5;
    pen.down = pen.x > 10;
  }
}

class Point {
  double x;
  double y;
}

class Pen extends Point implements Stable {
  boolean down;
}
