// The absent class is called by a helper of a helper.
// layer: bytecode, because the compiler has the library and only the installation does not
// library: vendor/Codec.java
// missing: vendor.Codec
package telemetry;

import dev.takt.reflex.ReflexTask;
import vendor.Codec;

class Probe extends ReflexTask {
  private long sample;

  @Override
  public void execute() {
    sample = Frame.read(sample + 1);
  }
}

final class Frame {
  private Frame() {}

  static long read(long raw) {
    return raw < 0 ? 0 : Field.of(raw);
  }
}

final class Field {
  private Field() {}

  static long of(long raw) {
    return Codec.decode(raw); // expect: R1 "vendor.Codec" "execute"
  }
}
