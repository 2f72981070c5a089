// A record that is declared in the method.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    record Pair(int left, int right) {
      int sum() {
        System.gc(); // expect: R28 "System.gc"
        return left + right;
      }
    }
    x = new Pair(x, 1).sum();
  }
}
