// In an accessor that a record pattern calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    Object any = new Size(x);
    if (any instanceof Size(long bytes)) {
      x = bytes + 1;
    }
  }
}

record Size(long bytes) {
  @Override
  public long bytes() {
    System.gc(); // expect: R28 "System.gc"
    return bytes;
  }
}
