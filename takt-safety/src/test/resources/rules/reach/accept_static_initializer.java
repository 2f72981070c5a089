// In a static initializer, which runs at the start on the heap.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x += Settings.STEP;
  }
}

final class Settings {
  static final int STEP = load();

  private Settings() {}

  private static int load() {
    return Integer.parseInt(System.getProperty("step", "3"));
  }
}
