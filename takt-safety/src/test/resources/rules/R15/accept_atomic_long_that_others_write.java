// An AtomicLong in a constant that ordinary code sets, and the task reads.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.atomic.AtomicLong;

class Pump extends ReflexTask {
  static final AtomicLong TARGET = new AtomicLong();
  private long value;

  @Override
  public void execute() {
    value += Long.signum(TARGET.get() - value);
  }
}

class Panel {
  void turn(long target) {
    Pump.TARGET.set(target);
  }
}
