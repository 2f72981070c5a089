// A map of the JDK comes from no pool.
// layer: both
package plant;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import java.util.HashMap;
import java.util.Map;

@NoAlloc
class Walk extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    Map<String, String> names = new HashMap<>(); // expect: R27 "java.util.HashMap"
    x += names.size();
  }
}
