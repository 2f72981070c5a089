// In a close() that the end of a block calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    try (Scope scope = new Scope()) {
      x += scope.depth;
    }
  }
}

class Scope implements AutoCloseable {
  int depth = 1;

  @Override
  public void close() {
    System.gc(); // expect: R28 "System.gc"
  }
}
