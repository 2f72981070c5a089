// A cast makes the lambda serializable, which no pooled class can be.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.io.Serializable;
import java.util.function.LongPredicate;

class Filters extends ReflexTask {
  private long limit = 10;

  @Override
  public void execute() {
    LongPredicate filter = (LongPredicate & Serializable) x -> x > limit; // expect: R22 "erializable"
    if (filter.test(11)) {
      limit++;
    }
  }
}
