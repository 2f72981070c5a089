// In the constructor of the superclass of a transient class.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    x += new Derived().value;
  }
}

abstract class Base {
  long value = 1;

  Base() {
    System.gc(); // expect: R28 "System.gc"
  }
}

class Derived extends Base {}
