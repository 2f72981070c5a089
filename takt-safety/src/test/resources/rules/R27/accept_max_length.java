// An array whose length is known to be bounded.
// layer: both
package telemetry;

import dev.takt.reflex.MaxLength;
import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Packer extends ReflexTask {
  private int length = 3;
  private int sum;

  @Override
  public void execute() {
    length = (length + 1) & 63;
    sum += pack(length)[0];
  }

  @MaxLength(64)
  private static byte[] pack(int length) {
    byte[] packet = new byte[length + 1];
    packet[0] = (byte) length;
    return packet;
  }
}
