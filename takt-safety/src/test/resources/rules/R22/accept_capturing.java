// Lambdas that capture numbers, the task and a transient object, used within the release.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.function.DoubleUnaryOperator;

class Chain extends ReflexTask {
  private double out;

  record Offset(double value) {}

  @Override
  public void execute() {
    double gain = 1.5;
    Offset offset = new Offset(out);
    DoubleUnaryOperator first = x -> x * gain + offset.value();
    DoubleUnaryOperator second = x -> x + out;
    out = second.applyAsDouble(first.applyAsDouble(1));
  }
}
