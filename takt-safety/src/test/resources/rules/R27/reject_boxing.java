// A box beyond the cache of small numbers.
// layer: both
package trading;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Boxer extends ReflexTask {
  private long ticks;

  @Override
  public void execute() {
    Long boxed = ticks; // expect: R27 "java.lang.Long"
    ticks = boxed.hashCode() + 1;
  }
}
