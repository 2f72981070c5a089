// An exception made once, without references, thrown again and again.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Strict extends ReflexTask {
  private static final Halt HALT = new Halt();
  private long orders;

  static final class Halt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Halt() {
      super("halted", null, false, false);
    }
  }

  @Override
  public void execute() {
    if (++orders > 1_000_000) {
      throw HALT;
    }
  }
}
