// Kept in a static that the next release reads.
// layer: both
// neighbour: R14 and R15, from which R13 follows
package plant;

import dev.takt.reflex.ReflexTask;

class Echo extends ReflexTask {
  private static Pulse last;
  private long width;

  static final class Pulse {
    long width;
  }

  @Override
  public void execute() {
    if (last != null) { // expect: R14 "last"
      width++;
    }
    last = new Pulse(); // expect: R15 "last"
  }
}
