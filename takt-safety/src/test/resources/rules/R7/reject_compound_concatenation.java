// Compound assignment hides a concatenation.
// layer: both
package plant;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Trace extends ReflexTask {
  private int size;

  @Override
  public void execute() {
    String line = "";
    for (int i = 0; i < 3; i++) {
      line += size; // expect: R7 "concat"
    }
    size = line.length();
  }
}
