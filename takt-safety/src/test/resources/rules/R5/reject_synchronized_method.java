// A habit: execute() is synchronized.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Teller extends ReflexTask {
  private long count;

  @Override
  public void execute() {
    increment();
  }

  private synchronized void increment() { // expect: R5 declared "increment"
    count++;
  }
}
