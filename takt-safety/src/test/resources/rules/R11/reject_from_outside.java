// The array comes from the caller, who may keep it.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Buffer extends ReflexTask {
  private final byte[] frame;

  Buffer(byte[] frame) {
    this.frame = frame; // expect: R11 "frame"
  }

  @Override
  public void execute() {
    frame[0]++;
  }
}
