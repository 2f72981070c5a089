// In the compact constructor of a record.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    x += new Size(4).bytes();
  }
}

record Size(long bytes) {
  Size {
    System.gc(); // expect: R28 "System.gc"
  }
}
