// Plain stores to fields and elements, compound and increment.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Stores extends ReflexTask {
  private final long[] volume = new long[4];
  private long total;
  private byte phase;

  @Override
  public void execute() {
    volume[phase & 3] += 5;
    total += volume[phase & 3]--;
    phase++;
  }
}
