// A list could change, or be kept.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import java.util.List;

class Basket extends ReflexTask {
  private long total;

  @Atomic
  public void submit(List<Long> quantities) { // expect: R17 declared "submit" "java.util.List"
    total += quantities.size();
  }

  @Override
  public void execute() {
    total--;
  }
}
