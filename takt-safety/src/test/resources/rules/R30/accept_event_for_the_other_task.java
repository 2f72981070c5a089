// The caller calls both tasks, one after the other.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Left extends ReflexTask {
  private long count;

  @Atomic
  public long take() {
    long taken = count;
    count = 0;
    return taken;
  }

  @Override
  public void execute() {
    count++;
  }
}

class Right extends ReflexTask {
  private long count;

  @Atomic
  public void give(long given) {
    count += given;
  }

  @Override
  public void execute() {
    count--;
  }
}

class Mover {
  void move(Left from, Right to) {
    to.give(from.take());
  }
}
