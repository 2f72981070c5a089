// A preallocated exception is given a cause, frames and what it has suppressed.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Chained extends ReflexTask {
  private static final Fault FAULT = new Fault();
  private int x;

  static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fault() {
      super("fault");
    }
  }

  @Override
  public void execute() {
    x++;
    if (x > 3) {
      FAULT.addSuppressed(new IllegalStateException("x=" + x)); // expect: R15 "plant.Chained.FAULT"
      throw FAULT;
    }
    try {
      step();
    } catch (Fault fault) {
      fault.setStackTrace(new StackTraceElement[0]); // expect: R15 "plant.Chained.FAULT"
    }
  }

  private void step() {
    Fault fault = FAULT;
    fault.initCause(null); // expect: R15 "plant.Chained.FAULT"
    throw fault;
  }
}
