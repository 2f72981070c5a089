// The array leaves through a local variable.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Frames extends ReflexTask {
  private final Frame frame = new Frame();
  private int sum;

  @Override
  public void execute() {
    sum += frame.bytes(true)[0];
  }
}

class Frame implements Stable {
  private final byte[] bytes = new byte[8];

  byte[] bytes(boolean own) {
    byte[] some = new byte[8];
    if (own) {
      some = bytes;
    }
    return some; // expect: R11 "bytes"
  }
}
