// hole: a preallocated exception may be read because it has no references of its own; that the
// task gives it a cause, which it keeps, is not seen
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
      FAULT.addSuppressed(new IllegalStateException("x=" + x));
      throw FAULT;
    }
  }
}
