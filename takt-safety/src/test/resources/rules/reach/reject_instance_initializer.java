// In the instance initializer of a transient class.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    x += new Sample().value;
  }
}

class Sample {
  final long value;

  {
    System.gc(); // expect: R28 "System.gc"
    value = 3;
  }
}
