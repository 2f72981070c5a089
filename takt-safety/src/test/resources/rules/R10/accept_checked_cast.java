// A cast that the JVM checks may fail, but smuggles nothing.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Tree extends ReflexTask {
  private Part root = new Leaf();
  private int depth;

  @Override
  public void execute() {
    if (root instanceof Leaf) {
      Leaf leaf = (Leaf) root;
      depth += leaf.size;
    }
    root = new Leaf();
  }
}

interface Part extends Stable {}

class Leaf implements Part {
  int size;
}
