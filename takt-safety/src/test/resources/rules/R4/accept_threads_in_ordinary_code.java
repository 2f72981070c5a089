// Threads and thread locals are fine where no task goes.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Limits extends ReflexTask {
  private double limit = 100;
  private double used;

  @Atomic
  public void raise(double by) {
    limit += by;
  }

  @Override
  public void execute() {
    used = Math.min(limit, used + 1);
  }
}

class Console {
  private static final ThreadLocal<Integer> CALLS = ThreadLocal.withInitial(() -> 0);

  void start(Limits limits) {
    new Thread(
            () -> {
              CALLS.set(CALLS.get() + 1);
              limits.raise(CALLS.get());
            })
        .start();
  }
}
