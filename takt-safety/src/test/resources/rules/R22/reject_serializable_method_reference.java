// A bound method reference of a serializable type, in a helper.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.io.Serializable;
import java.util.function.IntSupplier;

class Sources extends ReflexTask {
  private int value;

  interface Source extends IntSupplier, Serializable {}

  record Constant(int number) {}

  @Override
  public void execute() {
    value = read(new Constant(3));
  }

  private static int read(Constant constant) {
    Source source = constant::number; // expect: R22 "erializable"
    return source.getAsInt();
  }
}
