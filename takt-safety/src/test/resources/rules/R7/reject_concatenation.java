// The task has promised to allocate nothing, and makes a string.
// layer: both
package trading;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

@NoAlloc
class Labeler extends ReflexTask {
  private int depth;

  @Override
  public void execute() {
    depth++;
    write(new Event("label", "level" + depth)); // expect: R7 "concat"
  }
}
