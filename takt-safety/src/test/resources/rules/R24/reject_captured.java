// A lambda captures the capsule.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;
import java.util.function.LongSupplier;

class Later extends ReflexTask {
  private long total;

  @Override
  public void execute() {
    Fill fill = new Fill();
    LongSupplier price = () -> fill.price; // expect: R24 "Fill"
    total += price.getAsLong();
  }
}

final class Fill implements Capsule {
  long price = 3;
}
