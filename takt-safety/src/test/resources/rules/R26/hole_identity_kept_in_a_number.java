// hole: a pooled object's default hashCode is its identity; called through Object, it looks like
// any other hashCode
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Sets extends ReflexTask {
  private int hash;

  static final class Mark {
    int colour;
  }

  @Override
  public void execute() {
    Object mark = new Mark();
    hash = mark.hashCode();
  }
}
