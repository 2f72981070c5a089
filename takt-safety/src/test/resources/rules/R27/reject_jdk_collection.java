// Objects of the JDK come from no pool.
// layer: both
package trading;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;

@NoAlloc
class Lists extends ReflexTask {
  private int size;

  @Override
  public void execute() {
    ArrayList<String> names = new ArrayList<>(4); // expect: R27 "java.util.ArrayList"
    size = names.size();
  }
}
