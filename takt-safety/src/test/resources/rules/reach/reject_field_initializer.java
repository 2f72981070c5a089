// In the initializer of a field of a transient class.
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
  final long value = collect();

  private static long collect() {
    System.gc(); // expect: R28 "System.gc"
    return 4;
  }
}
