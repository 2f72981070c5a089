// The bound says that whatever is stored is stable.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Pairs extends ReflexTask {
  private final Pair<Side> pair = new Pair<>();

  @Override
  public void execute() {
    pair.left = new Side();
    pair.right = pair.left;
  }
}

class Side implements Stable {
  long volume;
}

class Pair<T extends Stable> implements Stable {
  T left;
  T right;
}
