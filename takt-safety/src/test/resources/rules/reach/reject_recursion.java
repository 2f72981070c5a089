// Methods that call each other, with the effect at the end.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x = even(x);
  }

  private int even(int n) {
    return n <= 0 ? 0 : odd(n - 1);
  }

  private int odd(int n) {
    if (n <= 0) {
      System.gc(); // expect: R28 "System.gc"
      return 1;
    }
    return even(n - 1);
  }
}
