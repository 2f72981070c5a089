// A list that other threads fill.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Rates extends ReflexTask {
  static final List<Double> RATES = new ArrayList<>();
  private int count;

  @Override
  public void execute() {
    count = RATES.size(); // expect: R14 "RATES" "java.util.List"
  }
}
