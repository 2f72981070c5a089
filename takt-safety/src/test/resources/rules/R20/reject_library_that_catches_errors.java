// The same with a handler for Error only.
// layer: both
// library: vendor/Shield.java
package plant;

import dev.takt.reflex.ReflexTask;
import vendor.Shield;

class Shielded extends ReflexTask {
  private boolean ok;

  @Override
  public void execute() {
    ok = new Shield().held(() -> true); // expect: R20 "vendor.Shield"
  }
}
