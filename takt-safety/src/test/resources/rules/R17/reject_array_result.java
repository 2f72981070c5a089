// The result would be the task's own array, or one of the release.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Scan extends ReflexTask {
  private long line;

  @Atomic
  public long[] lines() { // expect: R17 declared "lines"
    return new long[] {line};
  }

  @Override
  public void execute() {
    line++;
  }
}
