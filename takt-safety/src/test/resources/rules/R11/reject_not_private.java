// An array that other classes can write to past the barrier.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Bus extends ReflexTask {
  private final Registers registers = new Registers();

  @Override
  public void execute() {
    registers.values[3] = 1;
  }
}

class Registers implements Stable {
  final int[] values = new int[8]; // expect: R11 declared "values"
}
