// A public constructor with settings; helpers stay inside.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

public class accept_public_constructor extends ReflexTask {
  private final Axis axis;

  public accept_public_constructor(double limit) {
    super(4_096, 8_192);
    axis = new Axis(limit);
  }

  @Override
  public void execute() {
    axis.move(0.1);
  }
}

class Axis implements Stable {
  private final double limit;
  private double at;

  Axis(double limit) {
    this.limit = limit;
  }

  void move(double by) {
    at = Math.min(limit, at + by);
  }
}

class Cell {
  ReflexTask build() {
    return new accept_public_constructor(3);
  }
}
