// Numbers of enum constants, which nobody writes.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Sides extends ReflexTask {
  private long position;

  enum Side {
    BUY(1),
    SELL(-1);

    private final int sign;
    private final int[] steps = {1, 10, 100};

    Side(int sign) {
      this.sign = sign;
    }
  }

  @Override
  public void execute() {
    Side side = position > 10 ? Side.SELL : Side.BUY;
    position += side.sign * side.steps[0];
  }
}
