// On a path that can only end in an exception that leaves the release.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x++;
    if (x < 0) {
      throw new IllegalStateException(String.format("x=%d (expected: at least 0)", x));
    }
    check(x);
  }

  private static void check(int value) {
    if (value > 1_000_000) {
      String message = "value=" + value;
      throw new IllegalArgumentException(message);
    }
  }
}
