// hole: a task may hold another task in a field, because tasks are stable; calls of its own helper
// methods then run in the wrong task's release
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Master extends ReflexTask {
  private final Slave slave;

  Master(Slave slave) {
    this.slave = slave;
  }

  @Override
  public void execute() {
    slave.step();
  }
}

class Slave extends ReflexTask {
  private long steps;

  void step() {
    steps++;
  }

  @Override
  public void execute() {
    steps--;
  }
}
