// hole: a final meter is allowed in a task, and what a release has counted there stays when the
// release is undone. That is what meters are for, and wrong for anything else
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Loader extends ReflexTask {
  private final Total total;
  private int attempts;

  static final class Total {
    long tonnes;
  }

  Loader(Total total) {
    this.total = total;
  }

  @Override
  public void execute() {
    total.tonnes += 2;
    if (++attempts % 2 == 0) {
      abort();
    }
  }
}
