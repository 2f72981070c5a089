// The constant of an interface is a list.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Venues extends ReflexTask implements ClassNames {
  private int count;

  @Override
  public void execute() {
    count = ALL.size(); // expect: R14 "ALL"
  }
}

interface ClassNames {
  List<String> ALL = new ArrayList<>();
}
