// An abort is an Error: catching Exception lets it pass.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Careful extends ReflexTask {
  private int failures;
  private int[] counts = new int[4];

  @Override
  public void execute() {
    try {
      counts[failures & 7]++;
    } catch (RuntimeException e) {
      failures++;
    }
  }
}
