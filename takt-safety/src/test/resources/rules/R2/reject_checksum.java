// The checksum of the JDK is native.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.zip.Adler32;

class Framer extends ReflexTask {
  private long sum;

  @Override
  public void execute() {
    sum += Framing.check();
  }
}

final class Framing {
  private Framing() {}

  static long check() {
    return new Adler32().getValue(); // expect: R2 "java.util.zip.Adler32"
  }
}
