// A thread in the same file, which calls what the task does not.
// layer: both
package reach;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Atomic
  public long x() {
    return x;
  }

  @Override
  public void execute() {
    x += Shared.mix(x);
  }
}

final class Shared {
  private Shared() {}

  static long mix(long value) {
    return value * 31;
  }

  static void report(Task task) {
    new Thread(() -> System.out.println(mix(task.x()))).start();
  }
}
