// values() copies its array at each call.
// layer: both
package telemetry;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Channels extends ReflexTask {
  private int count;

  enum Channel {
    A,
    B,
    C
  }

  @Override
  public void execute() {
    for (Channel channel : Channel.values()) { // expect: R27 "values"
      count += channel.ordinal();
    }
  }
}
