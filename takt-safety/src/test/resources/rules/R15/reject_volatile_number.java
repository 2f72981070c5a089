// Telling ordinary threads a number through a volatile static: it stays when the release is undone.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Beacon extends ReflexTask {
  static volatile long beats;
  private long own;

  @Override
  public void execute() {
    beats = ++own; // expect: R15 "beats"
  }
}
