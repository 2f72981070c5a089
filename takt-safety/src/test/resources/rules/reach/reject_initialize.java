// In initialize(), which is a release too.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

class Task extends ReflexTask {
  private Handle handle;
  private int x;

  @Override
  public void initialize() {
    handle = subscribe(new Event("k", null));
    System.gc(); // expect: R28 "System.gc"
  }

  @Override
  public void execute() {
    x++;
  }
}
