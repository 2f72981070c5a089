// Plug-ins are looked up while the loop runs.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.ServiceLoader;

class Supervisor extends ReflexTask {
  private int alive;

  interface Check {
    boolean ok();
  }

  @Override
  public void execute() {
    ServiceLoader<Check> checks = ServiceLoader.load(Check.class); // expect: R3 "ServiceLoader"
    alive = checks == null ? 0 : 1;
  }
}
