// In a handler for an exception that may well happen.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    try {
      x = Integer.parseInt("4") / x;
    } catch (ArithmeticException e) {
      System.gc(); // expect: R28 "System.gc"
      x = 1;
    }
  }
}
