// An enum whose constants carry their law as a lambda.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.function.DoubleUnaryOperator;

class Modes extends ReflexTask {
  private double value;

  enum Mode {
    HALVE(x -> x / 2),
    RAISE(x -> x + 1);

    private final DoubleUnaryOperator law;

    Mode(DoubleUnaryOperator law) {
      this.law = law;
    }

    double next(double x) {
      return law.applyAsDouble(x);
    }
  }

  @Override
  public void execute() {
    value = (value > 10 ? Mode.HALVE : Mode.RAISE).next(value);
  }
}
