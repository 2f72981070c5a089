// A block that locks the task.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Gate extends ReflexTask {
  private boolean open;

  @Override
  public void execute() {
    synchronized (this) { // expect: R5 "synchronized"
      open = !open;
    }
  }
}
