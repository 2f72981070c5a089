// A lambda that captures nothing is one object for ever.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.function.LongBinaryOperator;

class Folds extends ReflexTask {
  private long state = 1;

  @Override
  public void execute() {
    LongBinaryOperator mix = (a, b) -> a * 31 + b;
    state = mix.applyAsLong(state, 7);
  }
}
