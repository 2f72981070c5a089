// A class of ordinary code may use a VarHandle.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class Quiet extends ReflexTask {
  private int steps;

  @Override
  public void execute() {
    steps++;
  }
}

class Flag {
  private static final VarHandle SET;
  private int set;

  static {
    try {
      SET = MethodHandles.lookup().findVarHandle(Flag.class, "set", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  boolean raise() {
    return SET.compareAndSet(this, 0, 1);
  }
}
