// A method reference that captures nothing.
// layer: both
package plant;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import java.util.function.DoubleUnaryOperator;

@NoAlloc
class Shaper extends ReflexTask {
  private double value;

  @Override
  public void execute() {
    value = apply(Shaper::half, value);
  }

  private static double apply(DoubleUnaryOperator law, double x) {
    return law.applyAsDouble(x);
  }

  private static double half(double x) {
    return x / 2;
  }
}
