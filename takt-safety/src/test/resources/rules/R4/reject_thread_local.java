// A scratch buffer in a thread local.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Book extends ReflexTask {
  private int depth;

  @Override
  public void execute() {
    depth = Scratch.levels();
  }
}

final class Scratch {
  private Scratch() {}

  static int levels() {
    ThreadLocal<Integer> levels = new ThreadLocal<>(); // expect: R4 "ThreadLocal"
    return levels == null ? 0 : 1;
  }
}
